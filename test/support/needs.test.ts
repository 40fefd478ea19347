import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { needs } from "./needs.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "croft-needs-"));
  writeFileSync(join(folder, "there"), "", { mode: 0o755 });
  mkdirSync(join(folder, "folder"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a program on the PATH is there, in CI too", () => {
  const path = ["", join(folder, "none"), folder].join(delimiter);
  expect([needs("there", { PATH: path }), needs("there", { PATH: path, CI: "true" })]).toEqual([true, true]);
});

test.each(["missing", "folder"])("%s is not, and in CI that is a failure", (program) => {
  const said: string[] = [];
  expect(needs(program, { PATH: folder }, (line) => said.push(line))).toBe(false);
  expect(needs(program, {}, (line) => said.push(line))).toBe(false);
  expect(said).toEqual([1, 2].map(() => `Skipped: tests that need ${program}, which is not installed.\n`));
  expect(() => needs(program, { PATH: folder, CI: "true" })).toThrow(`Tests need ${program}`);
});
