/**
 * Changes of real commits, made again: `node bench/history.ts <clone>… [--files N] [--tools NAME | --engine] [--json]`.
 *
 * Each file that a commit modified is asked for as a model would: in edits, as a unified diff, as an envelope, and as the
 * diff of git; then with blanks, tabs and quotes that are not in the file, with parts of the file copied, on an older
 * file, with other line ends. What comes out is either what the commit made of the file, or a refusal; anything else is
 * "wrong", and the exit code is 1. N files of each clone, 500 if not said; they are spread over its history. The calls go
 * through the tools of code, or of artifact (stage_file, apply_patch, save_media) or anthropic (str_replace and insert, where
 * a commit only added lines), or with --engine to the edit engine alone.
 */

import { parseArgs } from "node:util";
import { engine } from "./history/engine.ts";
import { replayHistory, type Report } from "./history/replay.ts";
import { openTools, type Tools } from "./history/tools.ts";

const { values, positionals } = parseArgs({
  options: {
    json: { type: "boolean" },
    engine: { type: "boolean" },
    tools: { type: "string", default: "code" },
    files: { type: "string", default: "500" },
  },
  allowPositionals: true,
});
const files = Number(values.files);
const tools = (["code", "artifact", "anthropic"] satisfies Tools[]).find((name) => name === values.tools);
if (positionals.length === 0 || tools === undefined || !Number.isSafeInteger(files)) {
  const choice = "[--tools code|artifact|anthropic | --engine]";
  process.stderr.write(`usage: node bench/history.ts <clone>… [--files N] ${choice} [--json]\n`);
  process.exit(2);
}
const hands = values.engine === true ? engine : await openTools(tools);
try {
  const report = await replayHistory(positionals, files, hands);
  process.stdout.write(values.json === true ? `${JSON.stringify(report)}\n` : tableOf(report));
  process.exitCode = report.wrong.length > 0 ? 1 : 0;
} finally {
  await hands.close();
}

function tableOf({ files, kinds, passed, arms, wrong }: Report): string {
  const lines = [`${files} files changed again (${words(kinds)}); left out: ${words(passed)}`];
  for (const { arm, cases, exact, text, wrong, refused } of arms) {
    const right = `${exact} exact, ${text} but for line ends`;
    lines.push(`${arm.padEnd(46)} ${String(cases).padStart(6)}: ${wrong} wrong, ${right}; refused: ${words(refused)}`);
  }
  for (const { arm, clone, commit, path } of wrong) lines.push(`WRONG ${arm}: ${clone} ${commit} ${path}`);
  return `${lines.join("\n")}\n`;
}

function words(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([name, number]) => `${number} ${name}`);
  return parts.join(", ") || "none";
}
