import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { UsageError } from "../usage.ts";
import { newRunId, traceAt, traceIn, tracesFolder } from "./trace.ts";

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "croft-trace-"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const mode = (path: string): number => statSync(path).mode & 0o777;

test("a run's id tells its time and no two are alike", () => {
  const now = new Date("2026-11-30T17:00:24.821Z");
  expect(newRunId(now)).toMatch(/^20261130T170024Z-[0-9a-f]{6}$/);
  expect(newRunId(now)).not.toBe(newRunId(now));
});

test("the default trace and its folders are this user's alone", () => {
  const folder = tracesFolder(true, { home: undefined, stateHome: join(base, "state") });
  expect(traceIn(folder, "id")).toMatchObject({ file: join(base, "state/croft/traces/id.jsonl") });
  expect(
    ["state", "state/croft", "state/croft/traces", "state/croft/traces/id.jsonl"].map((p) => mode(join(base, p))),
  ).toEqual([0o700, 0o700, 0o700, 0o600]);
});

test("where no trace can be kept the reason is given", () => {
  writeFileSync(join(base, "file"), "");
  const nowhere = tracesFolder(true, { home: undefined, stateHome: undefined });
  expect([traceIn(nowhere, "id"), traceIn(join(base, "file"), "id")]).toEqual([
    { reason: "no home folder is known" },
    { reason: expect.stringContaining("EEXIST") },
  ]);
});

test("a named trace replaces the file that is there", () => {
  const file = join(base, "t.jsonl");
  writeFileSync(file, "old");
  expect(traceAt("t.jsonl", base)).toBe(file);
  expect(readFileSync(file, "utf8")).toBe("");
});

test("a new named trace is this user's alone", () => {
  expect(mode(traceAt("new.jsonl", base))).toBe(0o600);
});

test("a FIFO that nobody reads is no place for a trace, and is not waited for", () => {
  execFileSync("mkfifo", [join(base, "fifo")]);
  expect(() => traceAt("fifo", base)).toThrow(UsageError);
});

test("a named trace that cannot be written is the user's mistake", () => {
  expect(() => traceAt("no/such/folder.jsonl", base)).toThrow(UsageError);
  expect(existsSync(join(base, "no"))).toBe(false);
});
