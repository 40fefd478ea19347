import { defineConfig, type UserConfig } from "tsdown";

/** One bundle with lazy chunks: the entry is small, the harness and its libraries load when a command needs them. */
const config: UserConfig = defineConfig({
  entry: ["src/main.ts"],
  platform: "node",
  target: "node22.19",
  dts: false,
  outExtensions: () => ({ js: ".js" }),
  inputOptions: {
    moduleTypes: { ".md": "text" },
    // jsonc-parser's main file is UMD, which no bundler follows.
    resolve: { conditionNames: ["source", "import", "node", "default"], mainFields: ["module", "main"] },
  },
  // ripgrep ships its binary in platform packages, found at run time from its own place.
  deps: { alwaysBundle: [/^(?!node:|@vscode\/ripgrep)/], neverBundle: [/^@vscode\/ripgrep/] },
});

export default config;
