import fc from "fast-check";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { plantTree } from "../tree.testing.ts";
import { diffOf } from "./diff.ts";

const bytes = (text: string | null): Uint8Array | null => (text === null ? null : new TextEncoder().encode(text));
const utf16 = (text: string): Uint8Array => new Uint8Array(Buffer.from(`\ufeff${text}`, "utf16le"));
const textual = async (before: string | null, after: string | null) => await diffOf("f", bytes(before), bytes(after));
const numbered = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => `${first + index}\n`);

const header = "--- a/f\n+++ b/f\n";

/** Row: what it shows, before, after, the diff, from/removed/to/added of each hunk. */
const table: readonly [shows: string, before: string | null, after: string | null, diff: string, hunks: number[][]][] =
  [
    ["a line changed", "a\nb\nc\n", "a\nB\nc\n", `${header}@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n`, [[2, 1, 2, 1]]],
    ["a new file", null, "a\nb\n", "--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\n", [[1, 0, 1, 2]]],
    ["a file removed", "a\n", null, "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", [[1, 1, 1, 0]]],
    ["an empty file made", null, "", "(an empty file)\n--- /dev/null\n+++ b/f\n", []],
    ["an empty file removed", "", null, "(an empty file)\n--- a/f\n+++ /dev/null\n", []],
    ["a file emptied", "a\n", "", `${header}@@ -1 +0,0 @@\n-a\n`, [[1, 1, 1, 0]]],
    ["a line put in", "a\nc\n", "a\nb\nc\n", `${header}@@ -1,2 +1,3 @@\n a\n+b\n c\n`, [[2, 0, 2, 1]]],
    [
      "a final newline added",
      "a",
      "a\n",
      `${header}@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n`,
      [[1, 1, 1, 1]],
    ],
    [
      "a final newline gone",
      "a\nb\n",
      "a\nb",
      `${header}@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n`,
      [[2, 1, 2, 1]],
    ],
    ["line ends changed", "a\r\nb\r\n", "a\nb\n", `(line endings: CRLF -> LF)\n${header}`, []],
    [
      "a LF line in a CRLF file",
      "a\r\n",
      "a\r\nb\n",
      `(line endings: CRLF -> mixed (1 CRLF, 1 LF))\n${header}@@ -1 +1,2 @@\n a\n+b\n`,
      [[2, 0, 2, 1]],
    ],
    ["line ends that changed places", "a\r\nb\n", "a\nb\r\n", `(line endings changed on some lines)\n${header}`, []],
    [
      "line ends that changed places beside a line that changed",
      "a\r\nb\nc\n",
      "a\nb\r\nC\n",
      `(line endings changed on some lines)\n${header}@@ -1,3 +1,3 @@\n a\n b\n-c\n+C\n`,
      [[3, 1, 3, 1]],
    ],
    [
      "mixed line ends that stay, behind a line that changed",
      "a\nb\r\nc\n",
      "A\nb\r\nc\n",
      `${header}@@ -1,3 +1,3 @@\n-a\n+A\n b\n c\n`,
      [[1, 1, 1, 1]],
    ],
    [
      "a CRLF file that keeps them",
      "a\r\nb\r\n",
      "a\r\nc\r\n",
      `${header}@@ -1,2 +1,2 @@\n a\n-b\n+c\n`,
      [[2, 1, 2, 1]],
    ],
    ["a BOM gone", "\ufeffa\n", "a\n", `(encoding: UTF-8 with BOM -> UTF-8)\n${header}`, []],
    [
      "a new CRLF file with a BOM",
      null,
      "\ufeffa\r\n",
      "(encoding: UTF-8 with BOM)\n(line endings: CRLF)\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n",
      [[1, 0, 1, 1]],
    ],
    ["binary files by their size", "a\0b", "a\0bc", "Binary file f: 3 bytes -> 4 bytes\n", []],
    ["a text that becomes binary", "a", "\0", "Binary file f: 1 bytes -> 1 bytes\n", []],
    ["a binary file removed", "\0", null, "Binary file f: 1 bytes -> none\n", []],
  ];

test.for(table)("%s", async ([, before, after, diff, hunks]) => {
  const expected = hunks.map(([from, removed, to, added]) => ({ from, removed, to, added }));
  expect(await textual(before, after)).toEqual({ diff, hunks: expected });
});

test("changes far apart stand in hunks of their own, with three lines around them, near ones together", async () => {
  const before = numbered(1, 40);
  const after = [...before];
  after[9] = "ten\n";
  after.splice(16, 1);
  after.splice(30, 0, "new\n");
  const expected = [
    header,
    "@@ -7,14 +7,13 @@\n",
    " 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13\n 14\n 15\n 16\n-17\n 18\n 19\n 20\n",
    "@@ -29,6 +28,7 @@\n",
    " 29\n 30\n 31\n+new\n 32\n 33\n 34\n",
  ];
  expect(await textual(before.join(""), after.join(""))).toEqual({
    diff: expected.join(""),
    hunks: [
      { from: 10, removed: 1, to: 10, added: 1 },
      { from: 17, removed: 1, to: 17, added: 0 },
      { from: 32, removed: 0, to: 31, added: 1 },
    ],
  });
});

test("bytes that are not UTF-8 and other encodings are shown as read, never replaced", async () => {
  const latin = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
  expect((await diffOf("f", latin("na\xefve\n"), latin("na\xefve!\n"))).diff).toBe(
    `${header}@@ -1 +1 @@\n-na\\xEFve\n+na\\xEFve!\n`,
  );
  expect((await diffOf("f", utf16("a\n"), utf16("b\n"))).diff).toBe(`${header}@@ -1 +1 @@\n-a\n+b\n`);
  expect((await diffOf("f", utf16("a\n"), bytes("a\n"))).diff).toBe(
    `(encoding: UTF-16LE with BOM -> UTF-8)\n${header}`,
  );
});

test("a path that would break the header is quoted", async () => {
  expect((await diffOf("a\nb", null, bytes("x\n"))).diff).toBe('--- /dev/null\n+++ "b/a\\nb"\n@@ -0,0 +1 @@\n+x\n');
});

test("two large texts without a line in common are one block, and a small change of a large text is found", async () => {
  const before = numbered(1, 200_000);
  const after = before.map((line) => `x${line}`);
  const all = await textual(before.join(""), after.join(""));
  expect(all.hunks).toEqual([{ from: 1, removed: 200_000, to: 1, added: 200_000 }]);
  const one = await textual(before.join(""), before.with(150_000, "x\n").join(""));
  expect(one.hunks).toEqual([{ from: 150_001, removed: 1, to: 150_001, added: 1 }]);
});

const line = fc.constantFrom("a", "b", "c", "", "-a", "+b", " c");
const text = fc
  .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
  .map(([lines, ends]) => lines.join("\n") + (ends && lines.length > 0 ? "\n" : ""));

test("the hunks turn the old lines into the new ones, and git applies the diff", async () => {
  const tree = plantTree({});
  onTestFinished(tree.remove);
  const file = path.join(tree.root, "f");
  await fc.assert(
    fc.asyncProperty(text, text, async (before, after) => {
      const { diff, hunks } = await textual(before, after);
      const [old, young] = [before, after].map((one) => one.match(/[^\n]*\n|[^\n]+$/g) ?? []);
      let replayed = [...(old ?? [])];
      for (const { from, removed, to, added } of hunks.toReversed()) {
        replayed = replayed.toSpliced(from - 1, removed, ...(young ?? []).slice(to - 1, to - 1 + added));
      }
      expect(replayed).toEqual(young);
      if (hunks.length === 0) return;
      writeFileSync(file, before);
      execFileSync("git", ["apply", "-"], { cwd: tree.root, input: diff, stdio: "pipe" });
      expect(existsSync(file) ? readFileSync(file, "utf8") : "").toBe(after);
    }),
    { numRuns: 100 },
  );
});
