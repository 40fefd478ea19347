/** The entry: answers --version and --help at once; all else is loaded when it is needed. */

import manifest from "../package.json" with { type: "json" };
import exitCodeWords from "./words/exit-codes.md";
import helpWords from "./words/help.md";

const [first, ...rest] = process.argv.slice(2);
const help = `${helpWords}\n${exitCodeWords}`;

if (rest.length === 0 && (first === "--version" || first === "-V")) {
  process.stdout.write(`${manifest.version}\n`);
} else if (rest.length === 0 && (first === "--help" || first === "-h")) {
  process.stdout.write(help);
} else {
  const { runCli } = await import("./cli.ts");
  process.exitCode = await runCli(process.argv.slice(2), help);
}
