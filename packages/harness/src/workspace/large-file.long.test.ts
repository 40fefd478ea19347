/** A log of 5 GB, found in and read from in little memory. */

import { closeSync, openSync, writeSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { policyGate } from "../gate/rules.ts";
import { policyFrom } from "../policy/rules.ts";
import type { Fence } from "./fence.ts";
import { openFence } from "./fence/on-disk.ts";
import { ripgrep } from "./search/ripgrep.ts";
import { plantTree } from "./tree.testing.ts";
import { openWorkspace, type Hit, type Workspace } from "./workspace.ts";

const all = policyFrom([{ name: "all", globs: ["**"], access: ["read"], decision: "allow" }]);
const never = new AbortController().signal;
const line = "2026-01-01T00:00:00.000Z INFO worker 17 took 23 ms for GET /api/items?page=4\n";
const linesInBlock = 200_000;
const blocks = Math.ceil(5e9 / (line.length * linesInBlock));

const tree = plantTree({});
let fence: Fence;
let workspace: Workspace;

beforeAll(() => {
  const descriptor = openSync(path.join(tree.root, "big.log"), "w");
  const block = Buffer.from(line.repeat(linesInBlock));
  for (let n = 0; n < blocks; n++) for (let at = 0; at < block.length;) at += writeSync(descriptor, block, at);
  writeSync(descriptor, `the needle é\n${line}`);
  closeSync(descriptor);
  fence = openFence(tree.root, all);
  workspace = openWorkspace({ fence, gate: policyGate(), search: ripgrep("") });
}, 300_000);

afterAll(() => {
  fence.close();
  tree.remove();
});

/** MiB that the process grew by at most, looked at while the work goes on. */
async function growthOf(work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
  await work().finally(() => clearInterval(watch));
  return (Math.max(most, process.memoryUsage.rss()) - before) / 2 ** 20;
}

test("a line at the end of 5 GB is found by its number, with the lines beside it, in at most 64 MiB", async () => {
  const hits: Pick<Hit, "line" | "text" | "match">[] = [];
  const growth = await growthOf(async () => {
    for await (const hit of workspace.search({ pattern: "needle", path: "big.log", context: 1 }, never)) {
      if (!("done" in hit)) hits.push({ line: hit.line, text: hit.text, match: hit.match });
    }
  });
  const at = blocks * linesInBlock + 1;
  const beside = line.trimEnd();
  expect(hits).toEqual([
    { line: at - 1, text: beside, match: false },
    { line: at, text: "the needle é", match: true },
    { line: at + 1, text: beside, match: false },
  ]);
  expect(growth).toBeLessThan(64);
});

test("5 GB are opened without being read, and a range of them is read as it is", async () => {
  let range = "";
  const growth = await growthOf(async () => {
    await expect(workspace.read("big.log", never)).rejects.toMatchObject({ code: "E_TOO_LARGE" });
    const start = line.length * linesInBlock * blocks;
    using file = fence.pin("big.log", "read");
    for await (const chunk of fence.bytes(file, { start, end: start + 14 })) {
      range += Buffer.from(chunk).toString();
    }
  });
  expect(range).toBe("the needle é\n");
  expect(growth).toBeLessThan(64);
});
