import fc from "fast-check";
import { expect, test } from "vitest";
import { createLedger, type GrowingLedger, type Shown } from "./ledger.ts";

function shown(path: string, from: number, to: number, more: Partial<Shown> = {}): Shown {
  return { path, hash: "h1", from, to, via: "read", ...more };
}

function ledgerOf(...all: Shown[]): GrowingLedger {
  const ledger = createLedger();
  for (const one of all) ledger.add(one);
  return ledger;
}

test("a ledger knows the lines it was told of, and no others", () => {
  const ledger = ledgerOf(shown("a", 3, 5), shown("a", 9, 9, { via: "search" }), shown("b", 1, 2));
  expect([2, 3, 4, 5, 6, 9, 10].map((line) => ledger.has("a", line))).toEqual([
    false,
    true,
    true,
    true,
    false,
    true,
    false,
  ]);
  expect([ledger.has("b", 1), ledger.has("c", 1)]).toEqual([true, false]);
  expect([...ledger.paths()]).toEqual(["a", "b"]);
});

test("intervals in any order, touching or apart, hold exactly their lines", () => {
  const interval = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 8 }));
  fc.assert(
    fc.property(fc.array(interval, { maxLength: 12 }), (intervals) => {
      const ledger = ledgerOf(...intervals.map(([from, more]) => shown("a", from, from + more)));
      for (let line = 0; line <= 50; line++) {
        expect(ledger.has("a", line)).toBe(intervals.some(([from, more]) => from <= line && line <= from + more));
      }
    }),
  );
});

test("a line of an older version is no longer shown once another version was", () => {
  const ledger = ledgerOf(shown("a", 1, 9), shown("a", 4, 4, { hash: "h2", via: "search" }));
  expect([1, 4, 9].map((line) => ledger.has("a", line))).toEqual([false, true, false]);
});
