#!/usr/bin/env node
// Committed, so that npm can link it before the first build. Plain syntax: it must run on any Node, to say what is wrong.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  // oxlint-disable-next-line typescript/no-require-imports -- as below
  const own = require("node:path").join(__dirname, "../../../node_modules/.bin/node");
  // oxlint-disable-next-line typescript/no-require-imports -- as below
  const hasOwn = require("node:fs").existsSync(own);
  process.stderr.write(
    `croft needs Node 22.19 or newer; this is ${process.version}.\n` +
      (hasOwn
        ? `This checkout has one: \`npx croft\` in it, or from anywhere: alias croft="${own} ${__filename}"\n`
        : "In a checkout, `npm install` installs a suitable Node: start croft with `npx croft`. Elsewhere, install Node 24.\n"),
  );
  process.exit(1);
}
try {
  // oxlint-disable-next-line typescript/no-require-imports -- CommonJS starts sooner, see tsdown.config.ts
  require("../dist/main.cjs");
} catch (error) {
  if (error.code !== "MODULE_NOT_FOUND" || !String(error.message).includes("dist/main.cjs")) throw error;
  process.stderr.write("croft is not built yet. Run `npm install` (or `npm run build`) in the checkout first.\n");
  process.exit(1);
}
