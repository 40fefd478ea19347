import fc from "fast-check";
import { expect, test } from "vitest";
import { growth, linear } from "../../../../../test/support/growth.ts";
import { envelope, patched, unified } from "./files.testing.ts";
import { parsePatch } from "./parse.ts";
import { planPatch } from "./plan.ts";

const nothing = "Nothing was changed.";
const latin = (text: string): Buffer => Buffer.from(text, "latin1");

test("both forms change the lines they name, in a file with LF and in one with CR LF", async () => {
  const diff = unified("@@ -1,3 +1,3 @@", " a", "-b", "+B", " c");
  const letter = envelope("*** Update File: a", "@@", " a", "-b", "+B");
  for (const patch of [diff, diff.replaceAll("\n", "\r\n"), letter, letter.replaceAll("\n", "\r\n")]) {
    expect(await patched(patch, { a: "a\nb\nc\n" })).toEqual({ a: "a\nB\nc\n" });
    expect(await patched(patch, { a: "a\r\nb\r\nc\r\n" })).toEqual({ a: "a\r\nB\r\nc\r\n" });
  }
});

test("lines that a hunk only shows keep their bytes", async () => {
  const patch = envelope("*** Update File: a", "@@", " 1", "-2", "+two", " 3", "+new", " 4");
  expect(await patched(patch, { a: "1\r\n2\n3\r\n4\n" })).toEqual({ a: "1\r\ntwo\n3\r\nnew\n4\n" });
});

test("a patch that shows CR at the ends of lines means them, as git does", async () => {
  const patch = unified("@@ -1,3 +1,3 @@", " a\r", "-b\r", "+B", " c");
  expect(await patched(patch, { a: "a\r\nb\r\nc\n" })).toEqual({ a: "a\r\nB\nc\n" });
  expect(await patched(patch, { a: "a\nb\nc\n" })).toBe(
    `E_NO_MATCH In a: the hunk at line 3 of the patch is not there. Nearest is lines 1-3:\n1\ta\n2\tb\n3\tc\nDifference: line 1: blanks at the end: none in the file, 1 carriage return in the hunk at line 3 of the patch. Repeat the text exactly as the file has it.`,
  );
});

test("the mark of the file and bytes of unknown encoding stay", async () => {
  const patch = envelope("*** Update File: a", "@@", "-k=0", "+m=0");
  expect(await patched(patch, { a: latin("k=0\n\xc4\xe3\xba\xc3\n") })).toEqual({ a: "m=0\n\xc4\xe3\xba\xc3\n" });
  expect(await patched(patch, { a: Buffer.from("\ufeffk=0\r\n", "utf16le") })).toEqual({
    a: Buffer.from("\ufeffm=0\r\n", "utf16le").toString("latin1"),
  });
  const copy = envelope("*** Update File: a", "@@", String.raw` \xC4\xE3`, String.raw`+\xE3`);
  expect(await patched(copy, { a: latin("\xc4\xe3\n") })).toEqual({ a: "\xc4\xe3\n\xe3\n" });
  expect(await patched(copy.replace(String.raw`+\xE3`, "+é"), { a: latin("\xc4\xe3\n") })).toMatch(/^E_ENCODING/);
});

const finals: readonly [what: string, hunk: readonly string[], before: string, after: string | RegExp][] = [
  ["is kept", ["-a", "+b"], "a\n", "b\n"],
  ["stays away", ["-a", "+b"], "a", "b"],
  ["stays away behind a new last line", [" a", "+b"], "a", "a\nb"],
  ["is added where the patch says so", ["-a", "\\ No newline at end of file", "+a"], "a", "a\n"],
  ["is removed where the patch says so", ["-a", "+a", "\\ No newline at end of file"], "a\n", "a"],
  ["is left out where the patch says it is", ["-a", "+b", " c", "\\ No newline at end of file"], "a\nc", "b\nc"],
  ["is that of the line before a last one that goes", [" a", "-b", "\\ No newline at end of file"], "a\nb", "a\n"],
  ["stays with the line before a last one that goes", [" a", "-b"], "a\nb", "a\n"],
  ["is there, and the patch says it is not", ["-a", "\\ No newline at end of file", "+b"], "a\n", /^E_NO_MATCH/],
  ["is not there, and the patch removes it", ["-a", "+a", "\\ No newline at end of file"], "a", /^E_NO_MATCH/],
  ["is no longer at the end", ["-a", "\\ No newline at end of file", "+b"], "a\nc", /^E_NO_MATCH/],
];

test.each(finals)("the final newline %s", async (_, hunk, before, after) => {
  const wanted = typeof after === "string" ? { a: after } : expect.stringMatching(after);
  expect(await patched(envelope("*** Update File: a", "@@", ...hunk), { a: before })).toEqual(wanted);
});

test("of several places one counts only if the line number leads exactly there", async () => {
  const file = { a: "x\na\nx\na\nx\n" };
  const at = async (line: number): Promise<unknown> => patched(unified(`@@ -${line} +${line} @@`, "-a", "+b"), file);
  expect(await at(2)).toEqual({ a: "x\nb\nx\na\nx\n" });
  expect(await at(4)).toEqual({ a: "x\na\nx\nb\nx\n" });
  expect(await at(3)).toBe(
    `E_AMBIGUOUS In a: the hunk at line 3 of the patch fits at lines 2, 4. ${nothing} Take in more lines around the change.`,
  );
  expect(await patched(unified("@@ -9 +9 @@", "-a", "+b"), { a: "x\na\n" })).toEqual({ a: "x\nb\n" });
});

test("line numbers do not count in a file in which another hunk has moved", async () => {
  const patch = unified("@@ -2 +2 @@", "-a", "+b", "@@ -5 +5 @@", "-z", "+Z");
  expect(await patched(patch, { a: "x\na\nx\na\nz\n" })).toEqual({ a: "x\nb\nx\na\nZ\n" });
  expect(await patched(patch, { a: "x\na\nx\na\nx\nz\n" })).toMatch(/^E_AMBIGUOUS/);
});

test("a hunk of an envelope fits once, or its anchor stands right before it", async () => {
  const file = { "x.py": "def a():\n    pass\ndef b():\n    pass\n    end\n" };
  const change = (...lines: string[]): Promise<unknown> => patched(envelope("*** Update File: x.py", ...lines), file);
  expect(await change("@@", "-    pass", "+    done")).toBe(
    `E_AMBIGUOUS In x.py: the hunk at line 3 of the patch fits at lines 2, 4. ${nothing} Take in more lines around the change.`,
  );
  expect(await change("@@ def a():", "-    pass", "+    done")).toEqual({
    "x.py": "def a():\n    done\ndef b():\n    pass\n    end\n",
  });
  expect(await change("@@ def b():", "-    end", "+    fin")).toEqual({
    "x.py": "def a():\n    pass\ndef b():\n    pass\n    fin\n",
  });
  expect(await change("@@ end", "-    pass", "+    done")).toMatch(
    "E_NO_MATCH In x.py: the hunk at line 3 of the patch stands in it only before the line of its @@ anchor.",
  );
});

test("a hunk that only inserts goes right behind its anchor, or to the end where it says so", async () => {
  const file = { "x.py": "def a():\ndef b():\n" };
  const insert = (...lines: string[]): Promise<unknown> => patched(envelope("*** Update File: x.py", ...lines), file);
  expect(await insert("@@ def a():", "+    pass")).toEqual({ "x.py": "def a():\n    pass\ndef b():\n" });
  expect(await insert("@@", "+end", "*** End of File")).toEqual({ "x.py": "def a():\ndef b():\nend\n" });
  expect(await insert("@@ def c():", "+    pass")).toBe(
    `E_NO_MATCH In x.py: the anchor "@@ def c():" of the hunk at line 3 of the patch is not a line of it. ${nothing} Read the file again and correct the patch.`,
  );
  expect(await insert("@@", "+    pass")).toMatch(
    /^E_AMBIGUOUS In x.py: the hunk at line 3 .* does not show where it belongs/,
  );
  expect(await patched(unified("@@ -1,0 +2 @@", "+x"), { a: "a\nb\n" })).toMatch(/^E_AMBIGUOUS/);
  expect(await patched(envelope("*** Update File: a", "@@ a", "+x"), { a: "a\na\n" })).toMatch(/fits at lines 1, 2\./);
  expect(await patched(envelope("*** Update File: a", "@@", "+x"), { a: "" })).toEqual({ a: "x\n" });
});

test("anchors lead from one to the next", async () => {
  const file = { a: "class A\n  run\n  x\nclass B\n  run\n  x\n" };
  const patch = (...anchors: string[]): Promise<unknown> =>
    patched(envelope("*** Update File: a", ...anchors, "-  x", "+  y"), file);
  expect(await patch("@@ class B", "@@ run")).toEqual({ a: "class A\n  run\n  x\nclass B\n  run\n  y\n" });
  expect(await patch("@@ run")).toMatch(/^E_AMBIGUOUS/);
});

test("a hunk that the file does not hold is explained", async () => {
  expect(await patched(envelope("*** Update File: a", "@@", "-  b", "+c"), { a: "a\n\tb\n" })).toBe(
    "E_NO_MATCH In a: the hunk at line 3 of the patch is not there. Nearest is line 2:\n2\t\tb\nDifference: line 2: indentation: 1 tab in the file, 2 spaces in the hunk at line 3 of the patch. Repeat the text exactly as the file has it.",
  );
  expect(await patched(envelope("*** Update File: a", "@@", "-b", "+c", "*** End of File"), { a: "b\na\n" })).toMatch(
    "In a: the lines of the hunk at line 3 of the patch do not stand at the end of the file as the patch says.",
  );
});

test("hunks may come in any order and share context, but not change the same lines", async () => {
  const file = { a: "1\n2\n3\n4\n" };
  const hunks = (...lines: string[]): Promise<unknown> => patched(envelope("*** Update File: a", ...lines), file);
  expect(await hunks("@@", "-4", "+four", "@@", " 1", "-2", "+two", " 3", "@@", " 3", "+3.5")).toEqual({
    a: "1\ntwo\n3\n3.5\nfour\n",
  });
  expect(
    await patched(envelope("*** Update File: a", "@@", "-2", "@@", "+3", "*** End of File"), { a: "1\n2" }),
  ).toMatch("E_BAD_PATCH Line 5 of the patch: this hunk and another one change the same lines.");
  expect(await hunks("@@", "-2", "-3", "@@", "-3", "+three")).toMatch(
    "E_BAD_PATCH Line 6 of the patch: this hunk and another one change the same lines.",
  );
});

test("files are added, deleted and moved", async () => {
  const files = { "old.md": "a\nb\n", "gone.md": "x\n" };
  const patch = envelope(
    "*** Add File: ./new.md",
    "+x",
    "*** Delete File: gone.md",
    "*** Update File: old.md",
    "*** Move to: docs//old.md",
    "@@",
    "-a",
    "+A",
  );
  expect(await patched(patch, files)).toEqual({
    "new.md": "x\n",
    "gone.md": null,
    "old.md": null,
    "docs/old.md": "A\nb\n",
  });
});

test("a plan names each file once, with what it was planned upon", async () => {
  const patch = envelope("*** Update File: a", "*** Move to: b", "*** Update File: b", "@@", "-x", "+y");
  const read = async (path: string): Promise<{ bytes: Buffer; hash: string; mode: number } | undefined> =>
    path === "a" ? { bytes: Buffer.from("x\n"), hash: "hash of a", mode: 0o755 } : undefined;
  expect(await planPatch(parsePatch(patch), read)).toEqual({
    changes: [
      { path: "a", before: "hash of a", after: null },
      { path: "b", before: null, after: Buffer.from("y\n"), mode: 0o755 },
    ],
    moves: [{ from: "a", to: "b" }],
  });
});

test("sections of one file apply in order, each to what those before have left", async () => {
  const section = (from: string, to: string): string[] => ["*** Update File: a", "@@", `-${from}`, `+${to}`];
  expect(await patched(envelope(...section("1", "2"), ...section("2", "3")), { a: "1\n" })).toEqual({ a: "3\n" });
  expect(await patched(envelope(...section("1", "2"), ...section("2", "1")), { a: "1\n" })).toBe(
    "E_NO_CHANGE The sections of the patch cancel each other out. Send only what shall be different in the end.",
  );
  expect(await patched(envelope("*** Delete File: a", "*** Add File: a", "+new"), { a: "old\n" })).toEqual({
    a: "new\n",
  });
});

const refusals: readonly [patch: string, narration: string][] = [
  [
    envelope("*** Update File: a", "*** Move to: ./a", "@@", "-x", "+y"),
    "E_BAD_PATCH Line 2 of the patch: a would be moved to itself.",
  ],
  [envelope("*** Update File: a", "*** Move to: b"), `E_EXISTS b already exists. ${nothing}`],
  [envelope("*** Add File: b", "+y"), `E_EXISTS b already exists. ${nothing}`],
  [envelope("*** Delete File: c"), `E_NOT_FOUND c does not exist. ${nothing}`],
  [envelope("*** Update File: c", "@@", "-x", "+y"), `E_NOT_FOUND c does not exist. ${nothing}`],
  [envelope("*** Update File: a", "@@", " x"), `E_NO_CHANGE The patch changes nothing in a. ${nothing}`],
  [envelope("*** Update File: a", "@@", "-x", "+x"), `E_NO_CHANGE The patch changes nothing in a. ${nothing}`],
  [
    "--- a/b\n+++ /dev/null\n@@ -1 +0,0 @@\n-y\n",
    `E_NO_MATCH b does not hold exactly what the patch deletes. ${nothing}`,
  ],
  [
    "diff --git a/b b/b\ndeleted file mode 100644\n",
    `E_NO_MATCH b does not hold exactly what the patch deletes. ${nothing}`,
  ],
  ["--- /dev/null\n+++ b/b\n@@ -0,0 +1 @@\n+y\n", `E_EXISTS b already exists. ${nothing}`],
  [envelope("*** Add File: .", "+y"), "E_BAD_PATCH Line 2 of the patch: expected the path of a file."],
  [envelope("*** Update File: bin", "@@", "-x", "+y"), "E_BINARY bin is a binary file."],
];

test.each(refusals)("what cannot be done is refused: %j", async (patch, narration) => {
  expect(await patched(patch, { a: "x\n", b: "y\ny\n", bin: "\0" })).toMatch(narration);
});

test("a file that holds the marks of the envelope is changed like any other", async () => {
  const file = "*** Begin Patch\n*** Update File: x\n@@\n-a\n+b\n*** End Patch\n";
  const patch = envelope("*** Update File: a", "@@", " -a", "-+b", "++c", " *** End Patch");
  expect(await patched(patch, { a: file })).toEqual({ a: file.replace("+b", "+c") });
});

const some = fc.array(fc.constantFrom("a", "b", "", "}", "\tx", "@@", "-- a", "++ b"), { minLength: 1, maxLength: 14 });
const ends = fc.constantFrom("\n", "\r\n");

test("a patch made of before and after gives after, or is refused", async () => {
  let landed = 0;
  const check = async (
    before: string[],
    after: string[],
    end: string,
    isOpen: boolean,
    context: number,
  ): Promise<void> => {
    const text = (lines: string[]): string => lines.join(end) + (isOpen ? "" : end);
    fc.pre(text(before) !== text(after) && (!isOpen || (before.at(-1) !== "" && after.at(-1) !== "")));
    // A file without a line break says nothing about how to write one.
    fc.pre(text(before).includes("\n"));
    const marked = (lines: string[]): string[] =>
      isOpen ? lines.with(lines.length - 1, `${lines.at(-1)}\n\\ No newline at end of file`) : lines;
    const { header, body } = hunkOf(marked(before), marked(after), context);
    for (const patch of [unified(header, ...body), envelope("*** Update File: a", "@@", ...body)]) {
      for (const form of [patch, patch.replaceAll("\n", "\r\n")]) {
        const result = await patched(form, { a: text(before) });
        if (typeof result !== "string") landed += 1;
        expect(result).toEqual(
          typeof result === "string" ? expect.stringMatching(/^E_(AMBIGUOUS|NO_MATCH) /) : { a: text(after) },
        );
      }
    }
  };
  await fc.assert(fc.asyncProperty(some, some, ends, fc.boolean(), fc.nat(3), check), { numRuns: 2_000 });
  expect(landed).toBeGreaterThan(2_000);
});

test("whatever a patch and a file hold, the outcome is a change or a refusal", async () => {
  const lines = fc.constantFrom(
    " a",
    "-a",
    "+a",
    "-b\r",
    "+é",
    "+\\xE9",
    "+\ud800",
    "+\0",
    "",
    "\\ No newline at end of file",
  );
  const heads = fc.constantFrom("@@", "@@ a", "@@ -1 +1 @@", "@@ -2,2 +2 @@");
  const parts = fc.constantFrom("a", "b", "\n", "\r\n", "\r", "é").map((text) => Buffer.from(text));
  const marks = fc.constantFrom(Buffer.of(), Buffer.from("\ufeff"), Buffer.of(0xff, 0xfe), Buffer.of(0xe9));
  const files = fc.tuple(marks, fc.array(parts)).map(([mark, some]) => Buffer.concat([mark, ...some]));
  let landed = 0;
  const check = async (hunks: [string, string[]][], file: Buffer): Promise<void> => {
    const result = await patched(envelope("*** Update File: a", ...hunks.flat(2)), { a: file });
    if (typeof result !== "string") landed += 1;
  };
  const hunks = fc.array(fc.tuple(heads, fc.array(lines, { minLength: 1, maxLength: 3 })), {
    minLength: 1,
    maxLength: 2,
  });
  await fc.assert(fc.asyncProperty(hunks, files, check), { numRuns: 3_000 });
  expect(landed).toBeGreaterThan(20);
});

test("many hunks in a file that repeats itself take time that grows with it", async () => {
  const plan = async (scale: number): Promise<void> => {
    const lines = Array.from({ length: 1_000 * scale }, (_, index) => (index % 10 === 0 ? `line ${index}` : "}"));
    const hunks = Array.from({ length: 50 * scale }, (_, index) => ["@@", ` line ${index * 20}`, " }", "-}", "+{"]);
    expect(await patched(envelope("*** Update File: a", ...hunks.flat()), { a: lines.join("\n") })).toBeTypeOf(
      "object",
    );
  };
  expect(await growth(plan)).toBeLessThan(linear);
});

/** One hunk from the first difference to the last, with so many lines around it. */
function hunkOf(before: string[], after: string[], context: number): { header: string; body: string[] } {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const from = Math.max(0, head - context);
  const rest = Math.max(0, tail - context);
  const body = [
    ...before.slice(from, head).map((line) => ` ${line}`),
    ...before.slice(head, before.length - tail).map((line) => `-${line}`),
    ...after.slice(head, after.length - tail).map((line) => `+${line}`),
    ...before.slice(before.length - tail, before.length - rest).map((line) => ` ${line}`),
  ];
  const counts = [before.length - from - rest, after.length - from - rest];
  return { header: `@@ -${from + 1},${counts[0]} +${from + 1},${counts[1]} @@`, body };
}
