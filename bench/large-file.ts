/** A log of 5 GB: how long a search of it takes, and how much memory. */

import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { croft, peakOf, rawSearch, timed, toolSearch, versus, type Command, type Place, type Row } from "./measure.ts";

const gigabytes = 5;
const runs = 3;
const name = "big.log";
const hit = "needle in the log";

export async function largeFile({ project, home }: Place): Promise<Row[]> {
  const file = join(project, name);
  writeLog(file);
  const tool = (...args: readonly string[]): Command => croft(["tool", ...args], project, home);
  const input = { pattern: hit, path: name, context: 2 };
  const found = await versus(
    timed,
    () => toolSearch(project, input),
    () => rawSearch(project, hit, name),
    runs,
  );
  const idle = await peakOf(tool("list_files", "{}"));
  const peak = await peakOf(tool("search", JSON.stringify(input)));
  rmSync(file);
  return [
    {
      what: `search of a log of ${gigabytes} GB`,
      value: found.ratio,
      unit: "x ripgrep",
      budget: 1.3,
      detail: `${found.measured.toFixed(0)} ms against ${found.floor.toFixed(0)}`,
    },
    {
      what: `memory of it above listing a folder`,
      value: peak - idle,
      unit: "MiB",
      budget: 64,
      detail: `${peak.toFixed(0)} MiB against ${idle.toFixed(0)}`,
    },
  ];
}

/** Whole lines in blocks of 16 MiB, and three hits: at the start, in the middle, at the end. */
function writeLog(file: string): void {
  const line = "2026-01-01T00:00:00.000Z INFO  worker 17 took 23 ms for GET /api/items?page=4 from 10.0.0.7\n";
  const block = Buffer.from(line.repeat(Math.floor(16_777_216 / line.length)));
  const blocks = Math.ceil((gigabytes * 1e9) / block.length);
  const descriptor = openSync(file, "w");
  for (let n = 0; n < blocks; n++) {
    if (n === 0 || n === Math.floor(blocks / 2) || n === blocks - 1) writeSync(descriptor, `${hit}\n`);
    for (let at = 0; at < block.length;) at += writeSync(descriptor, block, at);
  }
  closeSync(descriptor);
}
