/** The artifact tools on a log of 5 GB and on JSON Lines of 1 GB: time against the usual programs, and memory. */

import { execFile } from "node:child_process";
import { closeSync, createReadStream, ftruncateSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openArtifactTools, policyGate } from "@croft/harness";
import { peakOf, processorTime, rawSearch, timed, versus, type Place, type Row } from "./measure.ts";

const work = fileURLToPath(new URL("artifact-work.ts", import.meta.url));
const log = "big.log";
const jsonLines = "big.jsonl";
const needle = "needle in the log";
const runs = 3;
/** Of what takes a minute where the machine is slow. */
const fewRuns = 1;
/** A line far into the first half. */
const far = 10_000_000;
const line = "2026-01-01T00:00:00.000Z INFO  worker 17 took 23 ms for GET /api/items?page=4 from 10.0.0.7\n";

/** What a call does: the opener first, its id as ID in the inputs behind it. */
type Call = readonly [name: string, input: object];

export async function artifacts({ project }: Place): Promise<Row[]> {
  writeFileSync(join(project, "small.txt"), "small\n");
  const idle = await peak(project, [["open_file", { path: "small.txt" }]]);
  plantLog(join(project, log));
  const rows = await logRows(project, idle);
  rmSync(join(project, log));
  plantJsonLines(join(project, jsonLines));
  rows.push(...(await jsonRows(project, idle)));
  rmSync(join(project, jsonLines));
  return rows;
}

async function logRows(project: string, idle: number): Promise<Row[]> {
  const open: Call = ["open_file", { path: log }];
  const grep: Call = ["artifact_grep", { artifact_id: "ID", pattern: needle, context: 2 }];
  const tail: Call = ["artifact_tail", { artifact_id: "ID", lines: 20 }];
  const range: Call = ["artifact_cat", { artifact_id: "ID", start: far, end: far + 20 }];
  const count: Call = ["artifact_line_count", { artifact_id: "ID" }];
  return [
    await against(project, "open and grep 5 GB", [open, grep], {
      plain: () => rawSearch(project, needle, log),
      unit: "x ripgrep",
      budget: 1.3,
    }),
    await against(project, "open and tail 5 GB", [open, tail], {
      plain: () => program(project, "tail", "-n", "20", log),
      unit: "x tail",
      budget: 2,
    }),
    await against(project, `open and read lines from ${far} on`, [open, range], {
      plain: () => program(project, "sed", "-n", `${far},${far + 20}p;${far + 20}q`, log),
      unit: "x sed",
      budget: 2,
    }),
    await above(project, "memory of open, grep, tail, range and count above a small file", idle, [
      open,
      grep,
      tail,
      range,
      count,
    ]),
  ];
}

async function jsonRows(project: string, idle: number): Promise<Row[]> {
  const open: Call = ["open_json_file", { path: jsonLines }];
  const where = [{ path: "user.name", op: "eq", value: "user 7" }];
  const filter: Call = ["artifact_json_filter", { artifact_id: "ID", where, pluck: ["id"], limit: 1_000_000 }];
  return [
    await against(project, "filter and pluck 1 GB of JSON Lines", [open, filter], {
      plain: () => filteredByNode(join(project, jsonLines)),
      unit: "x JSON.parse",
      budget: 2,
      times: fewRuns,
      measure: processorTime,
    }),
    await above(project, "memory of that above a small file", idle, [open, filter]),
  ];
}

type Plain = {
  plain: () => Promise<void>;
  unit: string;
  budget: number;
  times?: number | undefined;
  /** Default: by the clock. */
  measure?: typeof timed | undefined;
};

async function against(
  project: string,
  what: string,
  calls: readonly Call[],
  { plain, unit, budget, times = runs, measure = timed }: Plain,
): Promise<Row> {
  const { ratio, measured, floor } = await versus(measure, () => play(project, calls), plain, times);
  return { what, value: ratio, unit, budget, detail: `${measured.toFixed(0)} ms against ${floor.toFixed(0)}` };
}

async function above(project: string, what: string, idle: number, calls: readonly Call[]): Promise<Row> {
  const most = await peak(project, calls);
  const detail = `${most.toFixed(0)} MiB against ${idle.toFixed(0)}`;
  return { what, value: most - idle, unit: "MiB", budget: 64, detail };
}

function peak(project: string, calls: readonly Call[]): Promise<number> {
  const words = calls.flatMap(([name, input]) => [name, JSON.stringify(input)]);
  return peakOf({ args: [work, project, ...words], cwd: project });
}

async function play(root: string, calls: readonly Call[]): Promise<void> {
  const tools = await openArtifactTools({ root, gate: policyGate() });
  let opened = "";
  for (const [name, input] of calls) {
    const asked: unknown = JSON.parse(JSON.stringify(input).replace("ID", opened));
    const { ok, content } = await tools.call(name, asked, new AbortController().signal);
    const text = content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
    if (!ok) throw new Error(text);
    if (opened === "") opened = text.slice(0, text.indexOf(":"));
  }
  await tools.close();
}

async function program(cwd: string, file: string, ...args: readonly string[]): Promise<void> {
  await promisify(execFile)(file, args, { cwd, env: { PATH: process.env["PATH"], LC_ALL: "C" } });
}

/** As a script would do it. */
async function filteredByNode(file: string): Promise<void> {
  let found = 0;
  for await (const text of createInterface({ input: createReadStream(file) })) {
    const value: { user: { name: string } } = JSON.parse(text);
    if (value.user.name === "user 7") found += 1;
  }
  if (found === 0) throw new Error("Nothing was found.");
}

/** Whole lines, a hole of zeros in the middle, and whole lines again; three needles. */
function plantLog(file: string): void {
  const block = Buffer.from(line.repeat(Math.floor(16_777_216 / line.length)));
  const half = Array.from({ length: 120 }, () => block);
  const head = openSync(file, "w");
  for (const part of [Buffer.from(`${needle}\n`), ...half]) writeAll(head, part);
  ftruncateSync(head, 3_000_000_000);
  closeSync(head);
  const end = openSync(file, "a");
  for (const part of [Buffer.from(`\n${needle}\n`), ...half, Buffer.from(`${needle}\n`)]) writeAll(end, part);
  closeSync(end);
}

function plantJsonLines(file: string): void {
  const descriptor = openSync(file, "w");
  let id = 0;
  for (let written = 0; written < 1_000_000_000;) {
    const lines: string[] = [];
    for (let n = 0; n < 50_000; n++) {
      id += 1;
      lines.push(
        `{"id":${id},"user":{"name":"user ${id % 1_000}","tags":["a","b"]},"took":${id % 997}.5,"ok":${id % 2 === 0}}\n`,
      );
    }
    written += writeAll(descriptor, Buffer.from(lines.join("")));
  }
  closeSync(descriptor);
}

function writeAll(descriptor: number, bytes: Buffer): number {
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
  return bytes.length;
}
