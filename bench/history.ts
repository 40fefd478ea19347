/**
 * Changes of real commits, made again with the edit engine: `node bench/history.ts <clone>… [--files N] [--json]`.
 *
 * Each file that a commit modified is asked for as a model would: in edits, as a unified diff, as an envelope, and as the
 * diff of git; then with blanks, tabs and quotes that are not in the file, with parts of the file copied, on an older
 * file, with other line ends. What comes out is either what the commit made of the file, or a refusal; anything else is
 * "wrong", and the exit code is 1.
 */

import { parseArgs } from "node:util";
import { casesOf } from "./history/cases.ts";
import { hunksOfGit, modifiedFiles, openBlobs } from "./history/commits.ts";
import { applyInMemory } from "./history/engine.ts";
import { count, outcomeOf, type Tally } from "./history/tally.ts";

const { values, positionals } = parseArgs({
  options: { json: { type: "boolean" }, files: { type: "string", default: "500" } },
  allowPositionals: true,
});
if (positionals.length === 0) {
  process.stderr.write("usage: node bench/history.ts <clone>… [--files N] [--json]\n");
  process.exit(2);
}

const tallies = new Map<string, Tally>();
const passed: Record<string, number> = {};
const wrong: { clone: string; commit: string; path: string; arm: string }[] = [];
let files = 0;
for (const clone of positionals) await replay(clone, Number(values.files));
const report = { files, passed, arms: [...tallies.values()], wrong };
process.stdout.write(values.json === true ? `${JSON.stringify(report)}\n` : asTable());
process.exitCode = wrong.length > 0 ? 1 : 0;

async function replay(clone: string, wanted: number): Promise<void> {
  await using blobs = openBlobs(clone);
  for (const file of modifiedFiles(clone, wanted)) {
    const { commit, path } = file;
    const before = await blobs.read(file.before);
    const after = await blobs.read(file.after);
    const older = file.older === undefined ? undefined : await blobs.read(file.older);
    const isThere = before !== undefined && after !== undefined;
    const cases = isThere ? casesOf({ before, after, older, hunks: hunksOfGit(clone, file) }) : "not in the clone";
    if (typeof cases === "string") {
      passed[cases] = (passed[cases] ?? 0) + 1;
      continue;
    }
    files += 1;
    for (const one of cases) {
      const outcome = await outcomeOf(one, applyInMemory);
      count(tallies, one.arm, outcome);
      if (outcome === "wrong") wrong.push({ clone, commit, path, arm: one.arm });
    }
  }
}

function asTable(): string {
  const lines = [`${files} files changed again; not: ${words(passed)}`];
  for (const { arm, cases, exact, text, wrong, refused } of tallies.values()) {
    const right = `${exact} exact${text > 0 ? `, ${text} but for line ends` : ""}`;
    lines.push(`${arm.padEnd(44)} ${String(cases).padStart(6)}  ${wrong} wrong, ${right}; refused: ${words(refused)}`);
  }
  for (const { clone, commit, path, arm } of wrong) lines.push(`WRONG ${arm}: ${clone} ${commit} ${path}`);
  return `${lines.join("\n")}\n`;
}

function words(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([name, number]) => `${number} ${name}`);
  return parts.join(", ") || "none";
}
