/** The artifact tools on a log of 5 GB and JSON Lines of 1 GB, in little memory. */

import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { artifactRig, type ArtifactRig } from "./artifact-rig.testing.ts";

const line = "2026-01-01T00:00:00.000Z INFO worker 17 took 23 ms for GET /api/items?page=4\n";
const linesInBlock = 200_000;
const block = Buffer.from(line.repeat(linesInBlock));
/** Real lines before the hole and behind it. */
const blocks = 33;
const size = 5_000_000_000;

/** Lines, a hole, and lines again: 5 GB of which 1 GB is on the disk. */
function plantLog(file: string): void {
  const descriptor = openSync(file, "w");
  write(descriptor, blocks);
  writeSync(descriptor, "before the hole\n");
  ftruncateSync(descriptor, size - blocks * block.length);
  closeSync(descriptor);
  const more = openSync(file, "a");
  writeSync(more, "\nthe needle é\n");
  write(more, blocks);
  writeSync(more, "the last line\n");
  closeSync(more);
}

function write(descriptor: number, times: number): void {
  for (let n = 0; n < times; n++) for (let at = 0; at < block.length;) at += writeSync(descriptor, block, at);
}

/** MiB that the process grew by at most, looked at while the work goes on. */
async function growthOf(work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
  await work().finally(() => clearInterval(watch));
  return (Math.max(most, process.memoryUsage.rss()) - before) / 2 ** 20;
}

/** What a first call loads counts for nothing. */
async function warm({ call, open }: ArtifactRig): Promise<void> {
  const id = await open("open_json_file", { path: "small.json" });
  for (const [name, more] of [
    ["artifact_grep", { pattern: "a" }],
    ["artifact_tail", {}],
    ["artifact_json_filter", {}],
  ] as const) {
    await call(name, { artifact_id: id, ...more });
  }
}

test("5 GB with a hole in them are opened, counted, searched and read anywhere in at most 64 MiB", async () => {
  const rig = await artifactRig({ "small.json": "[1]\n" });
  plantLog(join(rig.root, "big.log"));
  await warm(rig);
  const { call, open } = rig;
  const half = blocks * linesInBlock;
  const said: string[] = [];
  const growth = await growthOf(async () => {
    const id = await open("open_file", { path: "big.log" });
    const ask = (name: string, more: object): Promise<string> => call(name, { artifact_id: id, ...more });
    said.push(await ask("artifact_tail", { lines: 2 }));
    said.push(await ask("artifact_grep", { pattern: "needle", context: 1 }));
    said.push(await ask("artifact_cat", { start: half + 1, end: half + 1 }));
    said.push(await ask("artifact_line_count", {}));
    said.push(await ask("artifact_cat", { start: half + 3, end: half + 4 }));
    said.push(await ask("artifact_tail", { lines: 1 }));
  });
  rmSync(join(rig.root, "big.log"));
  const beside = line.trimEnd();
  const count = 2 * half + 4;
  expect(said).toEqual([
    `big.log: lines -2 to -1\n-2\t${beside}\n-1\tthe last line`,
    expect.stringMatching(new RegExp(`\\n${half + 3}:\\tthe needle é\\n${half + 4}\\t2026`)),
    `big.log: lines ${half + 1} to ${half + 1}\n${half + 1}\tbefore the hole`,
    `big.log: ${count} lines`,
    `big.log: lines ${half + 3} to ${half + 4}\n${half + 3}\tthe needle é\n${half + 4}\t${beside}`,
    `big.log: lines ${count} to ${count}\n${count}\tthe last line`,
  ]);
  expect(growth).toBeLessThan(64);
});

test("1 GB of JSON Lines is filtered and plucked in at most 64 MiB", async () => {
  const rig = await artifactRig({ "small.json": "[1]\n" });
  const descriptor = openSync(join(rig.root, "big.jsonl"), "w");
  let id = 0;
  for (let written = 0; written < 1_000_000_000;) {
    let text = "";
    while (text.length < 8_000_000) {
      id += 1;
      text += `{"id": ${id}, "user": {"name": "user ${id % 1_000}", "tags": ["a", "b"]}, "took": ${id % 997}.5, "ok": ${id % 2 === 0}}\n`;
    }
    written += writeSync(descriptor, text);
  }
  closeSync(descriptor);
  await warm(rig);
  const { call, open } = rig;
  let found = "";
  const growth = await growthOf(async () => {
    const artifact = await open("open_json_file", { path: "big.jsonl" });
    found = await call("artifact_json_filter", {
      artifact_id: artifact,
      where: [
        { path: "user.name", op: "eq", value: "user 7" },
        { path: "took", op: "lt", value: 1 },
      ],
      pluck: ["id", "took"],
    });
  });
  rmSync(join(rig.root, "big.jsonl"));
  const expected: string[] = [];
  for (let n = 1; n <= id; n++) if (n % 1_000 === 7 && n % 997 === 0) expected.push(`${n}: {"id":${n},"took":0.5}`);
  expect(found).toBe(expected.join("\n"));
  expect(growth).toBeLessThan(64);
});
