import { readFileSync } from "node:fs";
import { parse } from "./src/arguments.js";
import { frequencies } from "./src/frequencies.js";

const help = `Usage: node words.js [options] <file>

  --min <n>    leave out words shorter than n characters
  --help       show this
`;

try {
  const { file, min, help: wanted } = parse(process.argv.slice(2));
  if (wanted) process.stdout.write(help);
  else for (const [word, n] of frequencies(readFileSync(file, "utf8"), { min })) process.stdout.write(`${n} ${word}\n`);
} catch (error) {
  process.stderr.write(`words: ${error.message}\n`);
  process.exitCode = 2;
}
