/**
 * The entry: answers --version and --help at once; all else is loaded when it is needed, compiled code from a cache.
 */

import { enableCompileCache } from "node:module";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { readEnvironment } from "./config/environment.ts";
import { fitted } from "./ui/fitted.ts";
import exitCodeWords from "./words/exit-codes.md";
import helpWords from "./words/help.md";

const args = process.argv.slice(2);
const help = `${helpWords}\n${exitCodeWords}`;
const only = args.length === 1 ? args[0] : undefined;

if (only === "--version" || only === "-V") {
  process.stdout.write(`${manifest.version}\n`);
} else if (only === "--help" || only === "-h") {
  process.stdout.write(fitted(help, process.stdout.columns));
} else {
  void start();
}

async function start(): Promise<void> {
  const environment = readEnvironment();
  if (environment.debug) process.setSourceMapsEnabled(true);
  // The user's own folder: the default one in /tmp could be filled by somebody else.
  if (environment.cacheHome !== undefined) enableCompileCache(join(environment.cacheHome, "croft", "compiled"));
  const { runCli } = await import("./cli.ts");
  process.exitCode = await runCli(args, help, environment);
}
