import { visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { expect, test } from "vitest";
import { painted, span, widthOf, type Row } from "./look.ts";
import { clipped, cut, graphemesOf, wrapped } from "./wrap.ts";

function texts(rows: readonly Row[]): string[] {
  return rows.map((row) => row.map(({ text }) => text).join(""));
}

test.each([
  ["one two three", 7, ["one two", "three"]],
  ["abcdefghij kl", 4, ["abcd", "efgh", "ij", "kl"]],
  ["日本語のテキスト", 6, ["日本語", "のテキ", "スト"]],
  ["日本語👩‍👩‍👧é🇯🇵", 7, ["日本語", "👩‍👩‍👧é🇯🇵"]],
  ["", 5, [""]],
  ["  kept in front", 8, ["  kept", "in front"]],
])("%j in %d columns", (text, width, rows) => {
  expect(texts(wrapped([span(text)], width))).toEqual(rows);
});

test("a word through several looks is not parted", () => {
  const row = [span("see "), span("bo", { bold: true }), span("ld,"), span(" yes")];
  expect(texts(wrapped(row, 6))).toEqual(["see", "bold,", "yes"]);
});

test("a tab reaches to its stop", () => {
  expect([span("\ta").text, span("ab\tc\td").text]).toEqual(["    a", "ab  c   d"]);
});

test("no row is wider than it may be, and nothing that can be seen is lost", () => {
  const piece = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: "binary" }),
    fc.constantFrom("日本語", "👩‍👩‍👧", "🇯🇵", "e\u0301", "\t", "word", " ", "ก็", "ﷺ"),
  );
  fc.assert(
    fc.property(fc.array(piece), fc.integer({ min: 2, max: 30 }), (pieces, width) => {
      const row = pieces.map((text) => span(text));
      // A few signs (U+1D160) are wider than the narrowest row, and are not parted.
      fc.pre(row.every(({ text }) => [...graphemesOf(text)].every((one) => one.width <= 2)));
      const ink = (rows: readonly Row[]): string => texts(rows).join("").replaceAll(" ", "");
      for (const rows of [wrapped(row, width), cut(row, width), [clipped(row, width)]]) {
        expect(rows.filter((each) => widthOf(each) > width)).toEqual([]);
        for (const each of rows) expect(visibleWidth(painted(each, true))).toBeLessThanOrEqual(width);
      }
      expect(ink(wrapped(row, width))).toBe(ink([row]));
      expect(texts(cut(row, width)).join("")).toBe(texts([row]).join(""));
    }),
  );
});

test("a row is painted with nothing but colours and looks", () => {
  const row = [
    span("a\u001b[2Jb", { bold: true, colour: "red" }),
    span("\u202e", { bold: true, colour: "red" }),
    span("c"),
  ];
  expect(painted(row, true)).toBe("\u001b[1;31ma\\x1b[2Jb\\u{202e}\u001b[0mc");
  expect(painted(row, false)).toBe("\u001b[1ma\\x1b[2Jb\\u{202e}\u001b[0mc");
  // Even what was made by hand.
  expect(painted([{ text: "\u001b[2J", look: {} }], true)).toBe("\\x1b[2J");
});
