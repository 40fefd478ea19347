/** No room: a process that may only write small files, as a full disk or a quota would have it. */

import { spawnSync } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { plantTree, snapshotOf } from "../tree.testing.ts";

const script = `
const [here, root] = process.argv.slice(1);
const { hash } = await import("node:crypto");
const { openFence } = await import(here + "on-disk.ts");
const { policyFrom } = await import(here + "../../policy/rules.ts");
const fence = openFence(root, policyFrom([{ name: "all", globs: ["**"], access: ["read", "write"], decision: "allow" }]));
const old = hash("sha256", "old");
const plan = await fence.plan([
  { path: "small", before: old, after: new Uint8Array(10) },
  { path: "to/here/large", before: null, after: new Uint8Array(100_000) },
  { path: "gone", before: old, after: null },
]);
try {
  plan.apply();
} catch (thrown) {
  process.stdout.write(thrown.code + " " + thrown.message);
}
`;

test.runIf(process.platform !== "win32")("what has no room does not land, and nothing of it stays", () => {
  const tree = plantTree({ small: "old", gone: "old" });
  onTestFinished(tree.remove);
  const node = [process.execPath, "--input-type=module", "-e", script, new URL("./", import.meta.url).href, tree.root];
  const { stdout, stderr } = spawnSync("sh", ["-c", 'ulimit -f 16 && exec "$@"', "sh", ...node], { encoding: "utf8" });
  expect([stdout, stderr]).toEqual(['E_DISK_FULL There is no room to write "to/here/large".', ""]);
  expect(snapshotOf(tree.root)).toEqual({ gone: "644 old", small: "644 old" });
});
