/** A session of 2,000 turns and 200 MB of tool output: whether a late turn costs more than an early one. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LongRun } from "./long-run.ts";
import { ended, median, run, type Place, type Row } from "./measure.ts";

const turns = 2_000;
const early = turns / 10;
const program = fileURLToPath(new URL("long-run.ts", import.meta.url));

export async function longSession({ project, home }: Place): Promise<Row[]> {
  for (let n = 0; n < 40; n++) {
    const lines = Array.from({ length: 1_900 }, (_, line) => `file ${n}, line ${line}, ${"some words ".repeat(3)}`);
    writeFileSync(join(project, "src", `large-${n}.txt`), `${lines.join("\n")}\n`);
  }
  const command = { args: ["--expose-gc", program, project, join(home, "long.jsonl"), String(turns)], cwd: project };
  const child = run(command);
  let text = "";
  child.stdout?.on("data", (chunk) => (text += String(chunk)));
  await ended(child, command);
  const found: LongRun = JSON.parse(text);
  const what = `turn ${turns} against turn ${early}, ${mb(found.resultBytes)} of tool output`;
  const [first, last] = [found.early, found.late];
  return [
    {
      what: `processor time of ${what}`,
      value: median(last.ms) / median(first.ms),
      unit: "x early",
      budget: 1.3,
      detail: `medians of 100 turns: ${median(last.ms).toFixed(1)} ms, ${median(first.ms).toFixed(1)} ms`,
    },
    {
      what: `longest request of ${what}`,
      value: last.requestBytes / first.requestBytes,
      unit: "x early",
      budget: 1.1,
      detail: `${mb(last.requestBytes)}, ${mb(first.requestBytes)}; ${found.compactions} times compacted`,
    },
    {
      what: `live memory of ${what}`,
      value: last.heapBytes / first.heapBytes,
      unit: "x early",
      budget: 1.3,
      detail: `${mb(last.heapBytes)}, ${mb(first.heapBytes)}; the log has ${mb(found.logBytes)}`,
    },
  ];
}

function mb(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
