import { readFileSync } from "node:fs";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import type { Reporter } from "vitest/node";

/** What was skipped is said by name: nobody should take a test for passed that did not run. */
const skipped: Reporter = {
  onTestRunEnd(modules) {
    const tests = modules.flatMap((module) => [...module.children.allTests("skipped")]);
    for (const { module, fullName } of tests)
      process.stdout.write(`Skipped: ${module.relativeModuleId} > ${fullName}\n`);
  },
};

/** Tests that take longer than CI has are named `*.long.test.ts`; `npm run check:long` runs them. */
const long = process.env["CROFT_LONG"] === "1";

const config: ViteUserConfig = defineConfig({
  plugins: [
    {
      name: "words",
      load: (id) => (id.endsWith(".md") ? `export default ${JSON.stringify(readFileSync(id, "utf8"))}` : undefined),
    },
  ],
  resolve: { conditions: ["croft-source", "node"] },
  ssr: { resolve: { conditions: ["croft-source", "node"] } },
  test: {
    include: ["packages/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**", ...(long ? [] : ["**/*.long.test.ts"])],
    reporters: ["default", skipped],
    // One process for many files: faster, and proof that nothing hides in module state.
    isolate: false,
    pool: "forks",
    maxWorkers: 2,
    testTimeout: long ? 600_000 : 60_000,
    hookTimeout: 60_000,
  },
});

export default config;
