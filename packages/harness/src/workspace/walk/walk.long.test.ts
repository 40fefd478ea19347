/** Listings as large as a hostile project can make them. */

import { execFileSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test } from "vitest";
import { policyFrom } from "../../policy/rules.ts";
import { hasBeneath } from "../place/beneath.ts";
import type { Fence } from "../fence.ts";
import { openFence } from "../fence/on-disk.ts";
import { openDescriptors, plantTree } from "../tree.testing.ts";

const all = policyFrom([{ name: "all", globs: ["**"], access: ["read"], decision: "allow" }]);

/** What is held, without what only waits to be collected. */
function heldBytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc()");
  return process.memoryUsage().heapUsed;
}

/** How many entries a listing has, and its end; each is checked to come after the one before. */
async function count(fence: Fence, each: () => void): Promise<{ entries: number; complete: boolean }> {
  using folder = fence.pin(".", "list");
  let entries = 0;
  let before = "";
  for await (const item of fence.list(folder, {}, new AbortController().signal)) {
    if ("done" in item) return { entries, complete: item.complete };
    if (item.path <= before) throw new Error(`${item.path} after ${before}`);
    before = item.path;
    entries += 1;
    each();
  }
  throw new Error("no end");
}

test.runIf(hasBeneath())("a tree 5,000 levels deep", async () => {
  const tree = plantTree({});
  // Too deep for a removal by path.
  onTestFinished(() => {
    execFileSync("rm", ["-rf", path.dirname(tree.root)]);
  });
  const dig = 'for (let level = 0; level < 5000; level++) require("node:fs").mkdirSync("d"), process.chdir("d");';
  execFileSync(process.execPath, ["-e", dig], { cwd: tree.root });
  const fence = openFence(tree.root, all);
  const before = openDescriptors();
  let most = 0;
  const found = await count(fence, () => (most = Math.max(most, openDescriptors())));
  expect(found).toEqual({ entries: 256, complete: false });
  expect(most - before).toBeLessThan(300);
  expect(openDescriptors()).toBe(before);
  fence.close();
});

test("a folder of a million entries is listed in order and in bounded memory", async () => {
  const tree = plantTree({});
  onTestFinished(tree.remove);
  for (let index = 0; index < 1_000_000; index += 1) closeSync(openSync(path.join(tree.root, `entry-${index}`), "w"));
  const fence = openFence(tree.root, all);
  const before = heldBytes();
  let most = 0;
  let seen = 0;
  const found = await count(fence, () => {
    seen += 1;
    if (seen % 50_000 === 0) most = Math.max(most, heldBytes());
  });
  expect(found).toEqual({ entries: 1_000_000, complete: true });
  expect((most - before) / 2 ** 20).toBeLessThan(128);
  fence.close();
});
