import { expect, test } from "vitest";
import { interruptedLine } from "./undone.ts";

test("of thousands of files that a killed croft left, some are named and the rest are counted", () => {
  const paths = Array.from({ length: 10_000 }, (_, at) => `f${at}`);
  expect(interruptedLine({ number: 1, cause: "undo", task: "tidy\u001b[2J", old: ["a"], new: paths })).toBe(
    "croft was ended in an undo (tidy\\x1b[2J). Changed: f0, f1, f2, f3, f4, f5, f6, f7, f8, f9 and 9990 more. As before: a.",
  );
});
