import { expect, test } from "vitest";
import type { FolderEntry, Place } from "../place/place.ts";
import { ordered } from "./ordered.ts";

/** A folder of many names that counts how often it is read and how many passes are under way. */
function folderOf(names: readonly string[]): { folder: Place; passes: () => number } {
  let passes = 0;
  const folder: Place = {
    path: ".",
    kind: "directory",
    size: 0,
    owner: undefined,
    group: undefined,
    mode: 0o755,
    identity: () => undefined,
    writer() {
      throw new Error("nothing is written");
    },
    child: () => undefined,
    *entries(): Generator<FolderEntry> {
      passes += 1;
      for (const name of names) yield { name, kind: "file" };
    },
    now() {
      throw new Error("no file");
    },
    open() {
      throw new Error("no file");
    },
    systemPath: () => ".",
    release() {},
  };
  return { folder, passes: () => passes };
}

const open = () => new AbortController().signal;

test.for([0, 1, 9, 10, 11, 20, 37, 100])("%d names come once each, in order, in runs of ten", async (count) => {
  const names = Array.from({ length: count }, (_, index) => `n${(index * 37) % 101}`);
  const { folder, passes } = folderOf(names);
  const found = await Array.fromAsync(ordered(folder, open(), 10), ({ name }) => name);
  expect([found, passes()]).toEqual([[...names].sort(), Math.floor(count / 10) + 1]);
});

test("what vanishes or appears between two passes breaks neither order nor end", async () => {
  const names = ["a", "b", "c", "d"];
  const { folder } = folderOf(names);
  const found: string[] = [];
  for await (const { name } of ordered(folder, open(), 2)) {
    found.push(name);
    if (name === "b") names.splice(0, 4, "aa", "e");
  }
  expect(found).toEqual(["a", "b", "e"]);
});

test("an abort is seen within one long folder", async () => {
  const { folder } = folderOf(Array.from({ length: 20_000 }, (_, index) => `n${index}`));
  const controller = new AbortController();
  setImmediate(() => controller.abort(new Error("enough")));
  await expect(Array.fromAsync(ordered(folder, controller.signal))).rejects.toThrow("enough");
});
