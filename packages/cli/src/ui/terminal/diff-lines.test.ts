import { expect, test } from "vitest";
import { diffLines } from "./diff-lines.ts";

/** Each line as its kind, its number, and the text with what differs in braces. */
function shown(diff: string): string[] {
  return diffLines(diff).map(({ kind, number, parts }) => {
    const text = parts.map(({ text, differs }) => (differs ? `{${text}}` : text)).join("");
    return `${kind} ${number ?? "-"} ${text}`;
  });
}

test("lines have their numbers, and changed words are marked", () => {
  const diff =
    "--- a/x\n+++ b/x\n@@ -8,3 +8,4 @@\n one\n-const a = foo(1);\n+const a = bar(1);\n+more\n two\n@@ -20 +21 @@\n-x = 1\n+x = 2\n";
  expect(shown(diff)).toEqual([
    "kept 8 one",
    "removed 9 const a = foo(1);",
    "added 9 const a = bar(1);",
    "added 10 more",
    "kept 11 two",
    "gap - ",
    "removed 20 x = {1}",
    "added 21 x = {2}",
  ]);
});

test("several words of a line, and lines with nothing in common", () => {
  expect(shown("@@ -1,2 +1,2 @@\n-let a = old(b, c);\n-alpha\n+const a = new_(b, d);\n+omega\n")).toEqual([
    "removed 1 {let} a = {old}(b, {c});",
    "removed 2 alpha",
    "added 1 {const} a = {new_}(b, {d});",
    "added 2 omega",
  ]);
});

test("what is no line of a file is a note; a line that looks like a header is none within a hunk", () => {
  expect(shown("(executable)\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+new\n\\ No newline at end of file\n")).toEqual([
    "note - (executable)",
    "added 1 new",
    "note - No newline at end of file",
  ]);
  expect(shown("@@ -1 +1 @@\n--- a\n+++ b\n")).toEqual(["removed 1 -- a", "added 1 ++ b"]);
});

test("lines of a hundred thousand words are not compared", () => {
  const long = "word ".repeat(100_000);
  expect(diffLines(`@@ -1 +1 @@\n-${long}a\n+${long}b\n`).map(({ parts }) => parts.length)).toEqual([1, 1]);
});

test("a file of hundreds of thousands of lines is taken apart as any other", () => {
  const gone = `@@ -1,300000 +0,0 @@\n${"-x\n".repeat(300_000)}`;
  expect(diffLines(gone).length).toBe(300_000);
});
