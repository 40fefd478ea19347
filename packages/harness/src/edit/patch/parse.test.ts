import fc from "fast-check";
import { expect, test } from "vitest";
import { Failure } from "../../error.ts";
import { envelope, unified } from "./files.testing.ts";
import { parsePatch } from "./parse.ts";

const again = "Nothing was changed. Correct the patch and send all of it again.";

function problem(patch: string): string {
  try {
    parsePatch(patch);
  } catch (error) {
    if (error instanceof Failure) return error.narration.replace(` ${again}`, "");
    throw error;
  }
  throw new Error("It was parsed.");
}

test("an envelope is read into its files", () => {
  const patch = envelope(
    "*** Add File: docs/new.md",
    "+# New",
    "+",
    "*** Delete File: old.md",
    "*** Update File: src/a.py",
    "*** Move to: src/b.py",
    "@@ class A",
    "@@ def run(self):",
    " x = 1",
    "-y = 2",
    "+y = 3",
    "",
    " z",
    "@@",
    "+last",
    "*** End of File",
  );
  expect(parsePatch(patch)).toEqual([
    { kind: "add", patchLine: 2, path: "docs/new.md", content: "# New\n\n" },
    { kind: "delete", patchLine: 5, path: "old.md" },
    {
      kind: "update",
      patchLine: 6,
      path: "src/a.py",
      to: "src/b.py",
      hunks: [
        {
          patchLine: 8,
          anchors: ["class A", "def run(self):"],
          lines: [
            { kind: " ", text: "x = 1" },
            { kind: "-", text: "y = 2" },
            { kind: "+", text: "y = 3" },
            { kind: " ", text: "" },
            { kind: " ", text: "z" },
          ],
          oldStart: undefined,
          atEnd: false,
          oldOpen: false,
          newOpen: false,
        },
        {
          patchLine: 15,
          anchors: [],
          lines: [{ kind: "+", text: "last" }],
          oldStart: undefined,
          atEnd: true,
          oldOpen: false,
          newOpen: false,
        },
      ],
    },
  ]);
});

test("a diff of git is read into its files", () => {
  const patch = `From 1234 Mon Sep 17 00:00:00 2001
Subject: [PATCH] Several things
--- a line of the message
+++
diff --git a/a.txt b/a.txt
index 1234..5678 100644
--- a/a.txt
+++ b/a.txt
@@ -3 +3,2 @@ heading
--- old
+++ new
+x
\\ No newline at end of file
diff --git a/run.sh b/run.sh
new file mode 100755
index 0000000..1234
--- /dev/null
+++ b/run.sh
@@ -0,0 +1 @@
+#!/bin/sh
diff --git a/empty b/empty
new file mode 100644
index 0000000..e69de29
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-bye
diff --git "a/caf\\303\\251 \\"1\\".txt" "b/caf\\303\\251 \\"2\\".txt"
similarity index 100%
rename from "caf\\303\\251 \\"1\\".txt"
rename to "caf\\303\\251 \\"2\\".txt"
--
2.40.0
`;
  expect(parsePatch(patch.replace("\n--\n", "\n-- \n"))).toEqual([
    {
      kind: "update",
      patchLine: 5,
      path: "a.txt",
      hunks: [
        {
          patchLine: 9,
          oldStart: 3,
          anchors: [],
          lines: [
            { kind: "-", text: "-- old" },
            { kind: "+", text: "++ new" },
            { kind: "+", text: "x" },
          ],
          atEnd: false,
          oldOpen: false,
          newOpen: true,
        },
      ],
    },
    { kind: "add", patchLine: 14, path: "run.sh", content: "#!/bin/sh\n", mode: 0o777 },
    { kind: "add", patchLine: 21, path: "empty", content: "", mode: 0o666 },
    expect.objectContaining({ kind: "delete", path: "gone.txt" }),
    { kind: "update", patchLine: 30, path: 'café "1".txt', to: 'café "2".txt', hunks: [] },
  ]);
});

const headers: readonly [what: string, lines: string, path: string][] = [
  ["no prefixes", "--- src/a.ts\n+++ src/a.ts\n", "src/a.ts"],
  ["a folder named a", "--- a/x\n+++ a/x\n", "a/x"],
  ["a folder named b, without prefixes", "diff --git b/x b/x\n--- b/x\n+++ b/x\n", "b/x"],
  ["prefixes that name the sides", "--- i/src/a.ts\n+++ w/src/a.ts\n", "src/a.ts"],
  ["dates", "--- a/x y.ts\t2026-01-01 00:00:00\n+++ b/x y.ts\t2026-01-01 00:00:00\n", "x y.ts"],
  ["only the line of git", "diff --git a/x b/x\n", "x"],
];

test.each(headers)("a path is read from headers with %s", (_, lines, path) => {
  expect(parsePatch(`${lines}@@ -1 +1 @@\n-a\n+b\n`)).toMatchObject([{ kind: "update", path }]);
});

test("a new file keeps the folder b where the line of git has no prefixes", () => {
  const bare = "diff --git b/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n";
  expect(parsePatch(bare)).toMatchObject([{ kind: "add", path: "b/x" }]);
  expect(parsePatch(bare.replace("b/x b/x", "a/x b/x"))).toMatchObject([{ kind: "add", path: "x" }]);
  const side = bare.replaceAll("b/x", "w/x");
  expect(parsePatch(side.replace("w/x w/x", "i/x w/x"))).toMatchObject([{ kind: "add", path: "x" }]);
  expect(parsePatch(side.replace(/^.*\n.*\n/, ""))).toMatchObject([{ kind: "add", path: "w/x" }]);
});

test("wrong or missing counts are no harm where the end of the hunk is certain, and its line number does not count", () => {
  const hunks = (patch: string): unknown => parsePatch(patch).map((file) => file.kind === "update" && file.hunks);
  const wanted = [
    [
      expect.objectContaining({
        oldStart: undefined,
        lines: [
          { kind: " ", text: "a" },
          { kind: "-", text: "b" },
          { kind: " ", text: "" },
          { kind: "+", text: "B" },
        ],
      }),
      expect.objectContaining({ oldStart: 9, lines: [{ kind: "+", text: "c" }] }),
    ],
  ];
  const body = [" a", "-b", "", "+B", "", "@@ -9,0 +9 @@", "+c"];
  for (const header of ["@@ -1,9 +1,9 @@", "@@ -1 +1 @@", "@@", "@@ ... @@"]) {
    expect(hunks(unified(header, ...body))).toEqual(wanted);
  }
});

test("empty lines between hunks are no part of them", () => {
  const patch = unified("@@ -1 +1 @@", "-a", "+b", "", "", "@@ -5 +5 @@", "-c", "+d");
  expect(parsePatch(patch)).toMatchObject([
    { hunks: [{ oldStart: 1 }, { oldStart: 5, lines: [{ text: "c" }, { text: "d" }] }] },
  ]);
});

test("two files follow each other without a line of git, whatever the counts say", () => {
  const patch = "--- a/x\n+++ b/x\n@@ -1,7 +1,7 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n";
  expect(parsePatch(patch)).toMatchObject([{ path: "x" }, { path: "y" }]);
});

test("a patch whose lines all end in CR LF is read as one with LF, and others keep their CR", () => {
  const lines = [" a", "-b", "+B"];
  const textsOf = (patch: string): string[] =>
    parsePatch(patch).flatMap((file) =>
      file.kind === "update" ? file.hunks.flatMap((hunk) => hunk.lines.map(({ text }) => text)) : [],
    );
  expect(textsOf(unified("@@ -1,2 +1,2 @@", ...lines).replaceAll("\n", "\r\n"))).toEqual(["a", "b", "B"]);
  expect(textsOf(envelope("*** Update File: a", ...lines).replaceAll("\n", "\r\n"))).toEqual(["a", "b", "B"]);
  expect(textsOf(unified("@@ -1,2 +1,2 @@", ...lines.map((line) => `${line}\r`)))).toEqual(["a\r", "b\r", "B\r"]);
});

test("an envelope is read out of what models wrap it in, and lines are counted with that", () => {
  const patch = envelope("*** Delete File: a");
  const file = { kind: "delete", patchLine: 3, path: "a" };
  for (const [before, after] of [
    ["```", "```"],
    ["```diff", "```\n"],
    ["apply_patch <<'EOF'", "EOF"],
    ['cat <<-"PATCH-1"', "PATCH-1\n\n"],
  ]) {
    expect(parsePatch(`${before}\n${patch}${after}`)).toEqual([file]);
    expect(problem(`${before}\n${patch}`)).toMatch("Line 1 of the patch: expected");
  }
  const fenced = envelope("*** Add File: a.md", "+```", "+x", "+```");
  expect(parsePatch(`\`\`\`\n${fenced}\`\`\`\n`)).toMatchObject([{ content: "```\nx\n```\n" }]);
});

const bad: readonly [patch: string, problem: string][] = [
  ["", 'Line 1 of the patch: expected "*** Begin Patch" or the headers of a unified diff, found neither.'],
  ["hello", 'Line 1 of the patch: expected "*** Begin Patch" or the headers of a unified diff, found neither.'],
  [
    "*** Begin Patch\n*** End Patch",
    'Line 1 of the patch: expected "*** Add File: ", "*** Update File: ", "*** Delete File: " or "*** End Patch" after it, found no file.',
  ],
  [
    "*** Begin Patch\n*** Update File: a\n@@\n-a\n+b\n",
    'Line 6 of the patch: expected "*** Add File: ", "*** Update File: ", "*** Delete File: " or "*** End Patch", found its end.',
  ],
  [
    `${envelope("*** Delete File: a")}more`,
    'Line 4 of the patch: expected nothing after "*** End Patch", found "more".',
  ],
  [
    envelope("*** Rename File: a"),
    'Line 2 of the patch: expected "*** Add File: ", "*** Update File: ", "*** Delete File: " or "*** End Patch", found "*** Rename File: a".',
  ],
  [envelope("*** Update File: a"), 'Line 3 of the patch: expected a hunk, found "*** End Patch".'],
  [envelope("*** Add File: "), 'Line 2 of the patch: expected a path after "*** Add File:", found "*** Add File: ".'],
  [
    envelope("*** Add File: a", "x"),
    'Line 3 of the patch: expected a line that begins with "+", or "*** Add File: ", "*** Update File: ", "*** Delete File: " or "*** End Patch", found "x".',
  ],
  [
    envelope("*** Update File: a", "@@", "-a", "b"),
    'Line 5 of the patch: expected a line that begins with " ", "-", "+" or "@@", or "*** End of File", found "b".',
  ],
  [
    envelope("*** Update File: a", "@@", "@@ x"),
    'Line 5 of the patch: expected a line of a hunk, which begins with " ", "-" or "+", found "*** End Patch".',
  ],
  [
    "--- a/a\n+++ b/b\n@@ -1 +1 @@\n-a\n+b\n",
    "Line 1 of the patch: the two headers name two files; expected one name, or rename from and rename to.",
  ],
  ["--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n", "Line 1 of the patch: expected headers that name a file."],
  ["diff --git a/a b/a\n--- a/a\n", 'Line 3 of the patch: expected a line that begins with "+++ ", found its end.'],
  [unified(), "Line 1 of the patch: expected a hunk after the headers."],
  [unified("@@ class A"), 'Line 3 of the patch: expected "@@ -1,2 +1,2 @@" with its numbers, found "@@ class A".'],
  [
    unified("@@ -1 +1 @@", "-a", "+b", "oops", "-c"),
    'Line 7 of the patch: expected a line of the hunk, or the headers of the next file, found "-c".',
  ],
  [
    unified("@@ -1,2 +1,2 @@", "-a", "+b", "oops", "+    c"),
    'Line 7 of the patch: expected a line of the hunk, or the headers of the next file, found "+    c".',
  ],
  [
    `@@ -1 +1 @@\n-a\n+b\n${unified("@@ -1 +1 @@", "-a", "+b")}`,
    'Line 1 of the patch: expected a line of the hunk, or the headers of the next file, found "@@ -1 +1 @@".',
  ],
  [
    unified("@@ -1 +1 @@", "-a", "\\ No newline at end of file", " b"),
    "Line 6 of the patch: expected the end of the hunk after a last line without a newline.",
  ],
  [
    "diff --git a/a b/a\nold mode 100644\nnew mode 100755\n",
    "Line 2 of the patch: a patch cannot change the mode of a file here; leave it out.",
  ],
  [
    "diff --git a/a b/a\nnew file mode 120000\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+b\n",
    "Line 2 of the patch: only regular files can be made, not links or submodules.",
  ],
  [
    "diff --git a/a b/a\nindex 1..2 100644\nGIT binary patch\n",
    "Line 3 of the patch: only text can be patched, and this is a binary file.",
  ],
  [
    "diff --git a/a b/b\ncopy from a\ncopy to b\n",
    "Line 2 of the patch: a patch cannot copy here; add the file instead.",
  ],
  ["--- /dev/null\n+++ b/a\n@@ -0,0 +1,2 @@\n+b\n c\n", "Line 3 of the patch: a new file has only lines with +."],
  ["--- a/a\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-b\n c\n", "Line 3 of the patch: a deleted file has only lines with -."],
];

test.each(bad)("what is wrong with a patch is told by its line: %j", (patch, message) => {
  expect(problem(patch)).toBe(message);
});

test("a patch has limits", () => {
  expect(problem("x".repeat(1_048_577))).toMatch("The patch has 1048577 characters; 1048576 are allowed.");
  const files = Array.from({ length: 101 }, (_, index) => `*** Delete File: ${index}`);
  expect(problem(envelope(...files))).toMatch("The patch names 101 files; 100 are allowed.");
});

test("whatever is read, nothing is thrown but a Failure", () => {
  const lines = fc.constantFrom(
    ..."*** Begin Patch|*** End Patch|*** Add File: a|*** Update File: b|*** Move to: c|*** Delete File: d|*** End of File".split(
      "|",
    ),
    ..."@@|@@ x|@@ -1,2 +1 @@|@@ -0,0 +1 @@|--- a/a|+++ b/a|--- /dev/null|+++ /dev/null|diff --git a/a b/a".split("|"),
    ..."rename from a|rename to b|new file mode 100644|deleted file mode 100644|\\ No newline at end of file|-- ".split(
      "|",
    ),
    ..." a|-a|+a|-|+| ||a|\r|-- a|++ b|\ud800".split("|"),
  );
  let parsed = 0;
  const check = (some: string[], end: string): void => {
    for (const patch of [some.join(end), envelope(...some), unified(...some)]) {
      try {
        parsePatch(patch);
        parsed += 1;
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
      }
    }
  };
  fc.assert(fc.property(fc.array(lines), fc.constantFrom("\n", "\r\n"), check), { numRuns: 3_000 });
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => check([text], "\n")));
  expect(parsed).toBeGreaterThan(20);
});
