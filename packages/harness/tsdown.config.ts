import { defineConfig, type UserConfig } from "tsdown";

const config: UserConfig = defineConfig({
  entry: ["src/index.ts", "src/testing.ts"],
  platform: "node",
  target: "node22.19",
  dts: { oxc: {} },
  outExtensions: () => ({ js: ".js", dts: ".d.ts" }),
  inputOptions: { moduleTypes: { ".md": "text" } },
  // zod brings fifty languages along: what is used of it takes 7 MiB less. The declarations name the one that is installed,
  // and schemas made with that are taken like those made here.
  deps: { alwaysBundle: [/^zod/], dts: { neverBundle: [/^zod/] } },
});

export default config;
