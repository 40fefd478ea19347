import { expect, test } from "vitest";
import type { TextBlock } from "../../message.ts";
import { createIds } from "./ids.ts";

const said = (text: string): TextBlock[] => [{ type: "text", text }];

test("an id of a trace stands for the one that a call made again gave out in its place", () => {
  const ids = createIds();
  expect(ids.recorded(said("m1-00aa: a.txt"), said("m1-ffff: a.txt"))).toEqual(said("m1-ffff: a.txt"));
  expect(ids.now({ media_id: "m1-ffff", patch: "m1-ffff" })).toEqual({ media_id: "m1-00aa", patch: "m1-ffff" });
  expect(ids.recorded(said("m1-00aa is gone, m9-1234 is not"), [])).toEqual(said("m1-ffff is gone, m9-1234 is not"));
});

test("an input without ids stays what it is, and one with an id that nothing gave out is none", () => {
  const ids = createIds();
  const plain = { path: "a1-0000", id: "process-1" };
  expect(ids.now(plain)).toBe(plain);
  expect(ids.now({ artifact_id: "a1-0000" })).toBe(undefined);
  expect(ids.now({ id: `output-${"0".repeat(36)}` })).toBe(undefined);
});
