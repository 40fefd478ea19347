import { defineConfig, type UserConfig } from "tsdown";

/**
 * One bundle with lazy chunks: the entry is small, the harness and its libraries load when a command needs them. Node
 * starts CommonJS sooner, by a fifth of the time it takes itself: for ES modules it lays open every export of its own
 * modules. It reads less where the code is minified; the maps are read only where CROFT_DEBUG asks for stack traces.
 */
const config: UserConfig = defineConfig({
  entry: ["src/main.ts"],
  format: "cjs",
  checks: { legacyCjs: false },
  platform: "node",
  target: "node22.19",
  dts: false,
  minify: true,
  sourcemap: true,
  // Its paths name types, and the bundler would take them for code.
  tsconfig: false,
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
