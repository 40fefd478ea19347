import { readFileSync } from "node:fs";
import { defineConfig, type ViteUserConfig } from "vitest/config";

/** Tests that take longer than CI has are named `*.long.test.ts`; `npm run check:long` runs them. */
const long = process.env["CROFT_LONG"] === "1";

const config: ViteUserConfig = defineConfig({
  plugins: [
    {
      name: "words",
      load: (id) => (id.endsWith(".md") ? `export default ${JSON.stringify(readFileSync(id, "utf8"))}` : undefined),
    },
  ],
  resolve: { conditions: ["source", "node"] },
  ssr: { resolve: { conditions: ["source", "node"] } },
  test: {
    include: ["packages/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**", ...(long ? [] : ["**/*.long.test.ts"])],
    // One process for many files: faster, and proof that nothing hides in module state.
    isolate: false,
    pool: "forks",
    maxWorkers: 2,
    testTimeout: long ? 600_000 : 60_000,
    hookTimeout: 60_000,
  },
});

export default config;
