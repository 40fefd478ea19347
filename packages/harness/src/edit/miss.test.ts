import { expect, test } from "vitest";
import { edit } from "./edit.ts";
import { sourceOf } from "./source.ts";

/** What is said between the place and the remedy. */
function why(file: string | Uint8Array, old: string): string[] {
  try {
    edit(sourceOf("a.ts", Buffer.from(file)), { old, new: "something else" });
  } catch (error) {
    return String(error).replace("Failure: In a.ts: old_string is not there", "").split("\n");
  }
  throw new Error("It was found.");
}

test("a miss shows the nearest lines with their numbers, and what differs", () => {
  expect(why("if (x) {\n\tfoo();\n}\n", "    foo();\n}")).toEqual([
    ". Nearest is lines 2-3:",
    "2\t\tfoo();",
    "3\t}",
    "Difference: line 2: indentation: 1 tab in the file, 4 spaces in old_string.",
  ]);
});

type Kind = [what: string, file: string, old: string, difference: string];

const kinds: readonly Kind[] = [
  [
    "indentation of a later line",
    "a\n  b\n",
    "a\n\tb",
    "line 2: indentation: 2 spaces in the file, 1 tab in old_string",
  ],
  ["no indentation", "a\nb\n", "a\n  b", "line 2: indentation: none in the file, 2 spaces in old_string"],
  ["blanks at the end", "a  \nb\n", "a\nb", "line 1: blanks at the end: 2 spaces in the file, none in old_string"],
  ["blanks between", "a  b\n", "a b", "line 1: blanks: 2 spaces in the file, 1 space in old_string"],
  ["no-break space", "a\u00a0b\n", "a b", "line 1: blanks: 1 U+00A0 in the file, 1 space in old_string"],
  ["curly quotes", "say “hi”\n", 'say "hi"', 'line 1: quotes: “ (U+201C) in the file, " in old_string'],
  ["other quotes", "say 'hi'\n", 'say "hi"', `line 1: quotes: ' in the file, " in old_string`],
  [
    "accents apart from their letters",
    "un cafe\u0301\n",
    "un caf\u00e9",
    "old_string composes its accents otherwise: in the file they are as in NFD (a letter, then the accent)",
  ],
  [
    "accents that are one with their letters",
    "un caf\u00e9\n",
    "un cafe\u0301",
    "old_string composes its accents otherwise: in the file they are as in NFC (one character)",
  ],
  ["dashes", "a – b\n", "a - b", "line 1: dashes: – (U+2013) in the file, - in old_string"],
  ["case", "Foo()\n", "foo()", "line 1: case: F in the file, f in old_string"],
  ["final newline", "a\nb", "b\n", "line 2: end of the file: no line break in the file, one in old_string"],
  ["a lone CR", "a\rb\n", "a\nb", String.raw`line 1: line breaks: "\r" in the file, "\n" in old_string`],
  ["an empty line more", "a\n\nb\n", "a\nb", String.raw`line 1: line breaks: "\n\n" in the file, "\n" in old_string`],
  [
    "several",
    "\tFoo(“a”)\n",
    '  foo("a")',
    'line 1: indentation: 1 tab in the file, 2 spaces in old_string; line 1: case: F in the file, f in old_string; line 1: quotes: “ (U+201C) in the file, " in old_string',
  ],
  ...["1\ta\n2\t\tb", "1\ta\n2+\t\tb", "src/a.ts-1- a\nsrc/a.ts:2: \tb\n", " 1| a\n 2| \tb"].map((old): Kind => [
    "line numbers",
    "a\n\tb\n",
    old,
    "old_string holds the line numbers that tools put before each line",
  ]),
  [
    "escaped line breaks",
    'a("x")\nb\n',
    String.raw`a(\"x\")\nb`,
    String.raw`old_string holds backslash escapes (such as \n or \") where the file has the characters themselves`,
  ],
  [
    "line breaks for escapes",
    'a("x\\ny")\n',
    'a("x\ny")',
    "old_string holds line breaks or tabs where the file has a backslash and a letter",
  ],
  [
    "another word",
    "one\nconst x = calculate(a);\ntwo\n",
    "const x = compute(a);",
    'line 2 is "const x = calculate(a);" in the file, "const x = compute(a);" in old_string',
  ],
  [
    "another line among equal ones",
    "}\n}\nfoo(1);\nbar(2);\n}\n",
    "foo(1);\nbaz(3);\n}",
    'line 4 is "bar(2);" in the file, "baz(3);" in old_string',
  ],
];

test.each(kinds)("what differs is named: %s", (_, file, old, difference) => {
  expect(why(file, old).at(-1)).toBe(`Difference: ${difference}.`);
});

test("a match that would cut a character is explained", () => {
  expect(why(Buffer.from("\xe9\n", "latin1"), "xE9").slice(1)).toEqual([
    String.raw`1	\xE9`,
    "Difference: the file has it only as a part of something longer, a line or an escaped byte.",
  ]);
});

test("where nothing is like it, that is said", () => {
  expect(why("hello there\n", "qqq zzz")).toEqual([", nor anything like it."]);
  expect(why("", "x")).toEqual([", the file is empty."]);
});

test("long regions and lines are cut", () => {
  const file = Array.from({ length: 40 }, (_, index) => `\tline ${index} ${"x".repeat(300)}`).join("\n");
  const lines = why(file, file.replaceAll("\t", "  "));
  expect([lines.length, lines[1]?.length, lines.at(-2)]).toEqual([15, 203, "(28 lines more)"]);
});
