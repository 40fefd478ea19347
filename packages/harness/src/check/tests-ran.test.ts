import { expect, test } from "vitest";
import { hasRunTests } from "./tests-ran.ts";

const reported: readonly (readonly [command: string, output: string])[] = [
  ["python3 -m pytest -q", "..                    [100%]\n2 passed in 0.01s\n"],
  ["python3 -m unittest", "Ran 3 tests in 0.000s\n\nOK\n"],
  ["node --test", "\u2139 tests 2\n\u2139 pass 2\n\u2139 fail 0\n"],
  ["npx vitest run", " Test Files  1 passed (1)\n      Tests  2 passed (2)\n"],
  ["jest", "Tests:       1 skipped, 5 passed, 6 total\n"],
  ["mocha", "  3 passing (5ms)\n"],
  ["cargo test", "test result: ok. 0 passed; 0 failed\n\ntest result: ok. 1 passed; 0 failed\n"],
  ["go test ./...", "?   \tm/cmd\t[no test files]\nok  \tm/sum\t0.002s\n"],
];

test.each(reported)("%s tells of tests that passed", (command, output) => {
  expect(hasRunTests({ command, from: "" }, output)).toBe(true);
});

test.each(reported)("%s that tells of none has run none", (command) => {
  expect(hasRunTests({ command, from: "" }, "All is well.\n")).toBe(false);
  expect(hasRunTests({ command: "npm test", from: "", calls: command }, "")).toBe(false);
});

test.each([
  ["cargo test", "test result: ok. 0 passed; 0 failed\n"],
  ["go test ./...", "ok  \tm/sum\t0.002s [no tests to run]\n"],
  ["node --test", "\u2139 tests 0\n\u2139 pass 0\n"],
])("%s that says so has run none", (command, output) => {
  expect(hasRunTests({ command, from: "" }, output)).toBe(false);
});

test("who does not report, or otherwise, is believed", () => {
  for (const command of [
    "node check.js",
    "make",
    "mocha --reporter dot",
    "node --test --test-reporter=dot",
    "pytest -qq",
    "cargo test --quiet",
  ])
    expect(hasRunTests({ command, from: "" }, "")).toBe(true);
});
