import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { claimOutputs } from "./outputs.ts";

const minute = 60_000;
const limits = { bytes: 250, ms: 60 * minute };

function folderWith(ages: Readonly<Record<string, number>>): string {
  const folder = mkdtempSync(join(tmpdir(), "croft-outputs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, minutes] of Object.entries(ages)) place(folder, name, minutes);
  return folder;
}

/** A hundred bytes, so many minutes old. */
function place(folder: string, name: string, minutes: number): void {
  const file = join(folder, name);
  writeFileSync(file, "x".repeat(100));
  const at = new Date(Date.now() - minutes * minute);
  utimesSync(file, at, at);
}

function outputsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !name.startsWith("live-"))
    .toSorted();
}

test("outputs that are too old, and the oldest beyond the room, are removed, and nothing else", () => {
  const ages = { "output-1.txt": 1, "output-2.txt": 2, "output-3.txt": 3, "output-61.txt": 61, "other.txt": 100 };
  const folder = folderWith(ages);
  const claim = claimOutputs(folder, limits);
  expect(outputsIn(folder)).toEqual(["other.txt", "output-1.txt", "output-2.txt"]);
  claim[Symbol.dispose]();
  expect(readdirSync(folder).toSorted()).toEqual(["other.txt", "output-1.txt", "output-2.txt"]);
});

test("what was written since the oldest living session began stays, however much it is", () => {
  const folder = folderWith({});
  const first = claimOutputs(folder, limits);
  const [mark = ""] = readdirSync(folder);
  const begun = new Date(Date.now() - 90 * minute);
  utimesSync(join(folder, mark), begun, begun);
  const ages = { "output-1.txt": 1, "output-2.txt": 2, "output-80.txt": 80, "output-91.txt": 91 };
  for (const [name, minutes] of Object.entries(ages)) place(folder, name, minutes);
  claimOutputs(folder, limits)[Symbol.dispose]();
  expect(outputsIn(folder)).toEqual(["output-1.txt", "output-2.txt", "output-80.txt"]);
  first[Symbol.dispose]();
  claimOutputs(folder, limits)[Symbol.dispose]();
  expect(readdirSync(folder).toSorted()).toEqual(["output-1.txt", "output-2.txt"]);
});

test("the mark of a process that is gone counts for nothing", () => {
  const folder = folderWith({});
  const module = new URL("outputs.ts", import.meta.url).href;
  const script = `const { claimOutputs } = await import(${JSON.stringify(module)}); claimOutputs(${JSON.stringify(folder)});`;
  const { status } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { stdio: "ignore" });
  const marks = readdirSync(folder);
  expect({ status, marks: marks.length }).toEqual({ status: 0, marks: 1 });
  const begun = new Date(Date.now() - 90 * minute);
  utimesSync(join(folder, marks[0] ?? ""), begun, begun);
  place(folder, "output-80.txt", 80);
  claimOutputs(folder, limits)[Symbol.dispose]();
  expect(readdirSync(folder)).toEqual([]);
});

test("a folder that cannot be used is no reason to stop", () => {
  const folder = folderWith({});
  claimOutputs(join(folder, "absent"), limits)[Symbol.dispose]();
  expect(readdirSync(folder)).toEqual([]);
});
