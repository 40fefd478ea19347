import { expect, test } from "vitest";
import { exitCodes, exitError, exitPipe, exitUsage } from "./exit.ts";
import words from "./words/exit-codes.md";

test("every exit code is listed for people, and no other", () => {
  const listed = [...words.matchAll(/^ +(\d+) {2}/gm)].map(([, code]) => Number(code));
  expect(listed).toEqual(
    [...new Set([...Object.values(exitCodes), exitError, exitUsage, exitPipe])].sort((a, b) => a - b),
  );
});
