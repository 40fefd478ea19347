/** A process is killed after every step of a change of several files: each file is whole, old or new. */

import { spawnSync } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { policyFrom } from "../../policy/rules.ts";
import { plantTree, snapshotOf } from "../tree.testing.ts";
import { openFence } from "./on-disk.ts";

const script = `
const [here, root, killAfter, spoils] = process.argv.slice(1);
const { appendFileSync } = await import("node:fs");
const { hash } = await import("node:crypto");
const { fenceBy } = await import(here + "on-disk.ts");
const { mechanismHere } = await import(here + "../place/mechanism.ts");
const { policyFrom } = await import(here + "../../policy/rules.ts");
const policy = policyFrom([{ name: "all", globs: ["**"], access: ["read", "write"], decision: "allow" }]);
let steps = 0;
const fence = fenceBy(mechanismHere(), root, policy, ({ did, path }) => {
  if (spoils === "spoiled" && did === "removed" && path === "moved") appendFileSync(root + "/last", "!");
  steps += 1;
  if (steps === Number(killAfter)) process.kill(process.pid, "SIGKILL");
});
const text = (content) => new TextEncoder().encode(content);
const old = hash("sha256", "old");
const plan = await fence.plan([
  { path: "update", before: old, after: text("new") },
  { path: "moved", before: old, after: null },
  { path: "to/here/moved", before: null, after: text("old") },
  ...(spoils === "spoiled" ? [{ path: "last", before: old, after: null }] : []),
]);
try {
  plan.apply();
} catch (thrown) {
  if (thrown.code !== "E_STALE") throw thrown;
}
`;

const here = new URL("./", import.meta.url).href;
const entries = { update: "old", moved: "old", other: "old", last: "old" };
const temporary = /(^|\/)\.croft-[0-9a-f]{16}\.tmp$/;

type Run = { killed: boolean; files: Record<string, string>; left: string[] };

/** What a killed process leaves: the files, and apart from them what waited for its name. */
function runUntil(step: number, spoils: "whole" | "spoiled"): Run {
  const tree = plantTree(entries);
  onTestFinished(tree.remove);
  const args = ["--input-type=module", "-e", script, here, tree.root, String(step), spoils];
  const { signal, status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 30_000 });
  expect([stderr, signal ?? status]).toEqual(["", signal === null ? 0 : "SIGKILL"]);
  const left = Object.keys(snapshotOf(tree.root)).filter((name) => temporary.test(name));
  const fence = openFence(tree.root, policyFrom([]));
  onTestFinished(() => fence.close());
  expect(left.map((name) => fence.sweep(name))).toEqual(left.map(() => true));
  const files = Object.entries(snapshotOf(tree.root)).filter(([, what]) => what !== "folder");
  return { killed: signal !== null, files: Object.fromEntries(files), left };
}

function runAll(first: number, spoils: "whole" | "spoiled"): Run[] {
  const runs: Run[] = [];
  for (let step = first; step < 40 && runs.at(-1)?.killed !== false; step += 1) runs.push(runUntil(step, spoils));
  return runs;
}

const before = { last: "644 old", moved: "644 old", other: "644 old", update: "644 old" };
const updated = { ...before, update: "644 new" };
const both = { ...updated, "to/here/moved": "644 old" };
const { moved: _, ...after } = both;

test("killed after any step, every file is old or new, no other has changed, and a moved one is somewhere", () => {
  const runs = runAll(1, "whole");
  expect(runs.map(({ killed, files, left }) => ({ killed, files, left: left.length }))).toEqual([
    // The new bytes wait, and folders are made.
    { killed: true, files: before, left: 1 },
    { killed: true, files: before, left: 1 },
    { killed: true, files: before, left: 1 },
    { killed: true, files: before, left: 2 },
    // They land.
    { killed: true, files: updated, left: 1 },
    { killed: true, files: both, left: 0 },
    // Three folders are brought to the disk.
    ...Array.from({ length: 3 }, () => ({ killed: true, files: both, left: 0 })),
    // The old name goes.
    { killed: true, files: after, left: 0 },
    { killed: true, files: after, left: 0 },
    { killed: false, files: after, left: 0 },
  ]);
});

test("killed while what had landed is put back, every file is old or new, and none is lost", () => {
  const runs = runAll(10, "spoiled");
  const last = { last: "644 old!" };
  const spoiled = { ...after, ...last };
  expect(runs.map(({ killed, files, left }) => ({ killed, files, left: left.length }))).toEqual([
    { killed: true, files: spoiled, left: 0 },
    // The removed one is back, then the moved one gone again, then the update taken back.
    { killed: true, files: { ...both, ...last }, left: 0 },
    { killed: true, files: { ...updated, ...last }, left: 0 },
    ...Array.from({ length: 6 }, () => ({ killed: true, files: { ...before, ...last }, left: 0 })),
    { killed: false, files: { ...before, ...last }, left: 0 },
  ]);
});
