import { defineConfig, type UserConfig } from "tsdown";

const config: UserConfig = defineConfig({
  entry: ["src/index.ts", "src/testing.ts"],
  platform: "node",
  target: "node22.19",
  dts: { oxc: {} },
  outExtensions: () => ({ js: ".js", dts: ".d.ts" }),
  inputOptions: { moduleTypes: { ".md": "text" } },
});

export default config;
