import fc from "fast-check";
import { expect, test } from "vitest";
import { openHighlighter } from "../highlight/highlight.ts";
import { painted, widthOf } from "../terminal/look.ts";
import { markdownRows } from "./draw.ts";

const highlight = openHighlighter();

function drawn(source: string, width = 40): string {
  return markdownRows(source, { width, highlight })
    .map((row) => painted(row, false).replaceAll(/\u001b\[[0-9;]*m/g, ""))
    .join("\n");
}

test("what Markdown has is drawn", () => {
  const source = [
    "# Head *line*",
    "Some `code`, **bold** &amp; ~~gone~~ <b>tags</b>.",
    "- one\n- two\n  1. deep\n- [x] done",
    "> said\n> so",
    "```ts\nconst a = 1;\n\n\tb();\n```",
    "| name | n |\n|---|--:|\n| a | 10 |\n| 日本 | 2 |",
    "---",
  ];
  expect(drawn(source.join("\n\n"))).toBe(
    [
      "Head line",
      "",
      "Some code, bold & gone <b>tags</b>.",
      "",
      "- one",
      "- two",
      "  1. deep",
      "- [x] done",
      "",
      "│ said so",
      "",
      "  const a = 1;",
      "  ",
      "      b();",
      "",
      "name │  n",
      "─────┼───",
      "a    │ 10",
      "日本 │  2",
      "",
      "─".repeat(40),
    ].join("\n"),
  );
});

test.each([
  ["[home](https://a.example)", "home (https://a.example)"],
  ["[https://good.example](https://evil.example)", "https://good.example (https://evil.example)"],
  ["https://a.example", "https://a.example"],
  ["![alt](x.png)", "[image: alt] (x.png)"],
  ["[x](javascript:alert)", "x (javascript:alert)"],
])("%s shows where it leads", (source, shown) => {
  expect(drawn(source, 80)).toBe(shown);
});

test("a table wraps in its columns, and is told in pairs where there is no room for columns", () => {
  const source = "| a | b |\n|---|---|\n| one two three | four |\n";
  expect(drawn(source, 16)).toBe(
    ["a         │ b   ", "──────────┼─────", "one two   │ four", "three     │     "].join("\n"),
  );
  expect(drawn("| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n", 12)).toBe("a: 1\nb: 2\nc: 3");
});

test("code is coloured from the sixteen colours, by its language", () => {
  const rows = markdownRows("```ts\nconst a = `x${b}`; // \u001b[2J\n```", { width: 60, highlight });
  expect(rows.map((row) => painted(row, true))).toEqual([
    "  \u001b[35mconst\u001b[0m a = \u001b[32m`x${b}`\u001b[0m; \u001b[2m// \\x1b[2J\u001b[0m",
  ]);
  const plain = markdownRows("```nothing-known\nconst a\n```", { width: 60, highlight });
  expect(plain.map((row) => painted(row, true))).toEqual(["  const a"]);
});

test("what is nested too deep for the width stands without its marks", () => {
  expect(drawn("> - one\n", 4)).toBe("│ on\n│ e");
  expect(drawn("- - - a\n", 4)).toBe("- a");
  expect(drawn("> ```\n> ab\n> ```\n", 3)).toBe("ab");
});

test("no row is wider than it may be, and every escape sequence is a look", () => {
  const bits = [
    "# ",
    "- ",
    "> ",
    "| ",
    " |\n",
    "|--|\n",
    "```\n",
    "**",
    "`",
    "[a](",
    ")",
    "日本",
    "👩‍👩‍👧",
    "\t",
    "\n",
    "\n\n",
    "\u001b[2J",
    "\u009b",
    "<b>",
  ];
  const piece = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...bits));
  fc.assert(
    fc.property(fc.array(piece), fc.integer({ min: 4, max: 60 }), (pieces, width) => {
      const rows = markdownRows(pieces.join(""), { width, highlight });
      expect(rows.filter((row) => widthOf(row) > width)).toEqual([]);
      const bytes = rows.map((row) => painted(row, true)).join("\n");
      expect(bytes.replaceAll(/\u001b\[[0-9;]+m/g, "")).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    }),
  );
});

test("a paragraph of nothing but marks is text, and emphasis beside it is not", () => {
  const marks = "*a ".repeat(2_000);
  const rows = markdownRows(`${marks}\n\n**bold**`, { width: 60, highlight });
  expect(rows.flat().filter(({ look }) => look.bold === true || look.italic === true)).toEqual([
    { text: "bold", look: { bold: true } },
  ]);
  expect(
    rows
      .flat()
      .map(({ text }) => text)
      .join("").length,
  ).toBeGreaterThan(5_000);
});

test("what is nested without end is shown as it stands", () => {
  expect(drawn(`${">".repeat(8_000)} x`, 60)).toContain(">>>>");
});
