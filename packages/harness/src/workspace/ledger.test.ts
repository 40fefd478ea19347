import fc from "fast-check";
import { expect, test } from "vitest";
import type { LineHunk } from "./change.ts";
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

test("only what was read or written by the model is known, one version at a time", () => {
  const ledger = ledgerOf(
    shown("a", 1, 1),
    shown("b", 1, 9, { via: "search" }),
    shown("c", 1, 1, { via: "diff" }),
    shown("d", 1, 1, { via: "write" }),
  );
  const known = (): unknown => ["a", "b", "c", "d", "e"].map((path) => ledger.seen(path, "h1"));
  expect(known()).toEqual(["current", "never", "never", "current", "never"]);
  expect(ledger.seen("a", "h2")).toBe("changed");
  ledger.add(shown("a", 1, 1, { via: "search", hash: "h2" }));
  expect(ledger.seen("a", "h2")).toBe("changed");
  ledger.add(shown("a", 1, 1, { hash: "h2" }));
  expect([ledger.seen("a", "h1"), ledger.seen("a", "h2")]).toEqual(["changed", "current"]);
});

test("a change by a tool is known to whoever knew the version before it, and to nobody else", () => {
  const change = { before: "h1", after: "h2", hunks: [] };
  const ledger = ledgerOf(shown("read", 1, 1), shown("searched", 1, 1, { via: "search" }));
  for (const path of ["read", "searched", "new"]) ledger.landed({ path, ...change });
  ledger.landed({ path: "created", before: null, after: "h2", hunks: [] });
  expect(["read", "searched", "new", "created"].map((path) => ledger.seen(path, "h2"))).toEqual([
    "current",
    "never",
    "never",
    "current",
  ]);
  ledger.landed({ path: "read", before: "h0", after: "h3", hunks: [] });
  expect([ledger.seen("read", "h3"), ledger.seen("read", "h2")]).toEqual(["changed", "current"]);
  ledger.landed({ path: "read", before: "h2", after: null, hunks: [] });
  expect([ledger.seen("read", "h2"), ledger.has("read", 1)]).toEqual(["never", false]);
});

test("lines that were shown are found where they stand after a change, and replaced ones are gone", () => {
  const edit = fc.record({ keep: fc.nat(4), removed: fc.nat(3), added: fc.nat(3) });
  const lines = fc.uniqueArray(fc.integer({ min: 1, max: 30 }));
  fc.assert(
    fc.property(lines, fc.array(edit, { maxLength: 5 }), (seen, edits) => {
      const ledger = ledgerOf(shown("a", 99, 99), ...seen.map((line) => shown("a", line, line)));
      /** Which old line stands at each new one; undefined where it is new. */
      const now: (number | undefined)[] = [];
      const hunks: LineHunk[] = [];
      let old = 1;
      for (const { keep, removed, added } of edits) {
        for (let n = 0; n < keep; n++) now.push(old++);
        hunks.push({ from: old, removed, to: now.length + 1, added });
        for (let n = 0; n < added; n++) now.push(undefined);
        old += removed;
      }
      while (old <= 30) now.push(old++);
      ledger.landed({ path: "a", before: "h1", after: "h2", hunks });
      const found = now.map((_, index) => ledger.has("a", index + 1));
      expect(found).toEqual(now.map((line) => line !== undefined && seen.includes(line)));
    }),
  );
});
