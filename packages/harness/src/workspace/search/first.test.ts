import fc from "fast-check";
import { expect, test } from "vitest";
import type { Done } from "../fence.ts";
import { firstInPathOrder } from "./first.ts";
import type { Proposal, SearchDone } from "../search.ts";

function at(path: string, line: number): Proposal {
  return { path, line, column: 0, offset: 0 };
}

async function* scanOf(proposals: readonly Proposal[], done: Done): AsyncGenerator<Proposal | Done> {
  yield* proposals;
  yield done;
}

async function first(proposals: readonly Proposal[], limit: number, admit: (path: string) => boolean = () => true) {
  const found: (string | SearchDone)[] = [];
  for await (const one of firstInPathOrder(scanOf(proposals, { done: true, complete: true }), limit, admit)) {
    found.push("done" in one ? one : `${one.path}:${one.line}`);
  }
  return found;
}

test("what is in a folder stands before names that only begin like it", async () => {
  const proposals = [at("a-b", 1), at("a/z/x", 1), at("a.ts", 1), at("a/b", 9), at("a/b", 10), at("B", 1)];
  expect(await first(proposals, 9)).toEqual([
    "B:1",
    "a/b:9",
    "a/b:10",
    "a/z/x:1",
    "a-b:1",
    "a.ts:1",
    { done: true, complete: true, stopped: false },
  ]);
});

test("at the limit there may be no more, beyond it there is", async () => {
  expect((await first([at("a", 1), at("b", 1)], 2)).at(-1)).toEqual({ done: true, complete: true, stopped: false });
  expect(await first([at("b", 1), at("a", 2), at("a", 1)], 2)).toEqual([
    "a:1",
    "a:2",
    { done: true, complete: false, stopped: true },
  ]);
});

test("what is not admitted counts for nothing", async () => {
  const proposals = [at("a", 1), at("a", 2), at("b", 1)];
  expect(await first(proposals, 1, (path) => path !== "a")).toEqual([
    "b:1",
    { done: true, complete: true, stopped: false },
  ]);
});

test("the first of any number in any order are the first of all in order", async () => {
  const proposals = fc.uniqueArray(fc.tuple(fc.constantFrom("a", "b", "c/d"), fc.integer({ min: 1, max: 50 })), {
    selector: String,
  });
  await fc.assert(
    fc.asyncProperty(proposals, fc.integer({ min: 1, max: 20 }), async (pairs, limit) => {
      const sorted = [...pairs].sort(([a, i], [b, j]) => (a === b ? i - j : a < b ? -1 : 1));
      const expected = sorted.slice(0, limit).map(([path, line]) => `${path}:${line}`);
      const found = await first(
        pairs.map(([path, line]) => at(path, line)),
        limit,
      );
      expect(found.slice(0, -1)).toEqual(expected);
    }),
  );
});
