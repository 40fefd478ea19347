import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, Rolldown, type UserConfig } from "tsdown";

const page = join(import.meta.dirname, "src/trace/page");

/** What the page about a run is written from, as text: its style as it stands, its script with all that it imports. */
const texts: ReadonlyMap<string, () => string | Promise<string>> = new Map<string, () => string | Promise<string>>([
  ["page:style", () => readFileSync(join(page, "page.css"), "utf8")],
  ["page:script", () => bundled(join(page, "main.ts"))],
]);

const pages: Rolldown.Plugin = {
  name: "pages",
  resolveId: (id) => (texts.has(id) ? id : undefined),
  async load(id) {
    const text = await texts.get(id)?.();
    return text === undefined ? undefined : `export default ${JSON.stringify(text)}`;
  },
};

async function bundled(input: string): Promise<string> {
  const output: Rolldown.OutputOptions = { format: "iife", minify: true };
  const { output: chunks } = await Rolldown.build({ input, platform: "browser", write: false, output });
  return chunks[0].code;
}

/**
 * One bundle with lazy chunks: the entry is small, the harness and its libraries load when a command needs them. Node
 * starts CommonJS sooner, by a fifth of the time it takes itself: for ES modules it lays open every export of its own
 * modules. It reads less where the code is minified, and a file with a single character beyond ASCII takes twice the
 * memory, and longer to read and to look up in the cache of compiled code. The maps are read only where CROFT_DEBUG asks for stack traces.
 */
const config: UserConfig = defineConfig({
  entry: ["src/main.ts"],
  format: "cjs",
  checks: { legacyCjs: false },
  platform: "node",
  target: "node22.19",
  plugins: [pages],
  dts: false,
  minify: true,
  sourcemap: true,
  // Its paths name types, and the bundler would take them for code.
  tsconfig: false,
  // What is loaded when it is needed is required, too: a real import would load the loader of modules first.
  outputOptions: { dynamicImportInCjs: false, charset: "ascii" },
  outExtensions: () => ({ js: ".cjs" }),
  inputOptions: {
    moduleTypes: { ".md": "text" },
    // jsonc-parser's main file is UMD, which no bundler follows.
    resolve: { conditionNames: ["croft-source", "import", "node", "default"], mainFields: ["module", "main"] },
  },
  // ripgrep ships its binary in platform packages, found at run time from its own place; so does the sandbox of macOS.
  deps: {
    alwaysBundle: [/^(?!node:|@vscode\/ripgrep|@anthropic-ai\/sandbox-runtime)/],
    neverBundle: [/^@vscode\/ripgrep/, /^@anthropic-ai\/sandbox-runtime/],
  },
});

export default config;
