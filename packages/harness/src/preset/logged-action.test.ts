import { expect, test } from "vitest";
import type { Action } from "../gate/action.ts";
import { loggedAction } from "./logged-action.ts";

const writing = (...diffs: string[]): Action => ({
  kind: "write",
  changes: diffs.map((diff) => ({ asked: "a.ts", path: "a.ts", diff })),
});

test("an ordinary diff is told whole, and all other actions as they are", () => {
  const lines = `@@ -1 +1 @@\n${"-old line of some length\n+new line of some length\n".repeat(100)}`;
  expect(loggedAction(writing("", lines, "no newline at the end"))).toEqual(
    writing("", lines, "no newline at the end"),
  );
  const reading = { kind: "read", asked: "a" } as const;
  expect(loggedAction(reading)).toBe(reading);
});

test("edits of a file of one long line do not each put that line into the log twice", () => {
  const long = "x".repeat(900_000);
  const cut = `${"x".repeat(899)}… (+899101 more characters)`;
  expect(loggedAction(writing(`@@ -1 +1 @@\n-${long}\n+${long}\n`))).toEqual(
    writing(`@@ -1 +1 @@\n-${cut}\n+${cut}\n`),
  );
});

test("many long diffs of one action share the room, and say how much more there is", () => {
  const diff = "+line\n".repeat(9_000);
  const told = loggedAction(writing(diff, diff, diff));
  const lengths = told.kind === "write" ? told.changes.map((change) => change.diff.length) : [];
  expect(lengths.reduce((sum, length) => sum + length)).toBeLessThan(64_100);
  expect(told).toEqual(writing(diff, `${"+line\n".repeat(1_666)}… (+7334 more lines)\n`, "… (+9000 more lines)\n"));
});
