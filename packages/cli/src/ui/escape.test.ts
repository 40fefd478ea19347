import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeJson, escapeLine, escapeText } from "./escape.ts";

const hostile: readonly (readonly [string, string, string])[] = [
  ["an ANSI colour", "\u001b[31mred\u001b[0m", "\\x1b[31mred\\x1b[0m"],
  ["a title set by OSC", "\u001b]0;owned\u0007", "\\x1b]0;owned\\x07"],
  ["a C1 control sequence introducer", "\u009b2J", "\\x9b2J"],
  ["a carriage return that overwrites", "rm -rf /\rls", "rm -rf /\\rls"],
  ["NUL, backspace and DEL", "a\u0000b\u0008c\u007f", "a\\x00b\\x08c\\x7f"],
  ["a bidi override", "a\u202eb\u2066c\u200f", "a\\u{202e}b\\u{2066}c\\u{200f}"],
  ["zero-width characters", "pay\u200bpal\u2060\ufeff", "pay\\u{200b}pal\\u{2060}\\u{feff}"],
  ["tag characters", "hi\u{e0041}\u{e007f}", "hi\\u{e0041}\\u{e007f}"],
  ["variation selectors that carry data", "a\ufe01\u{e0101}", "a\\u{fe01}\\u{e0101}"],
  ["line and paragraph separators", "a\u2028b\u2029", "a\\u{2028}b\\u{2029}"],
  ["invisible fillers", "a\u3164b\u00ad\u2800", "a\\u{3164}b\\xad\\u{2800}"],
  ["a lone surrogate", "a\ud800b", "a\\u{d800}b"],
];

test.each(hostile)("%s is written out", (_, text, visible) => {
  expect([escapeText(text), escapeLine(text)]).toEqual([visible, visible]);
});

test.each([
  ["letters of any script", "日本語 é Ωмега ไทย עברית"],
  ["emoji, with their own joiners and selectors", "👩‍👩‍👧 ✔️ 1️⃣ 👍🏽 🇯🇵"],
  ["a backslash", "C:\\x1b"],
])("%s stay as they are", (_, text) => {
  expect([escapeText(text), escapeLine(text)]).toEqual([text, text]);
});

test("a joiner outside an emoji is written out", () => {
  expect(escapeText("a\u200db 👍\u200dx")).toBe("a\\u{200d}b 👍\\u{200d}x");
});

test("line feeds and tabs stay in a text and are written out in a line", () => {
  expect([escapeText("a\n\tb"), escapeLine("a\n\tb")]).toEqual(["a\n\tb", "a\\n\\tb"]);
});

test.each([escapeText, escapeLine, escapeJson])(
  "%o: a character comes out the same beside one of any script",
  (escape) => {
    const units = Array.from({ length: 0x1_0000 }, (_, unit) => String.fromCharCode(unit));
    expect(units.map((unit) => escape(unit))).toEqual(units.map((unit) => escape(`日${unit}`).slice(1)));
  },
);

test("JSON becomes pure of such characters and parses to the same value", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...hostile.map(([, text]) => text)))),
      (value) => {
        const json = escapeJson(JSON.stringify(value));
        expect(JSON.parse(json)).toEqual(value);
        expect(escapeLine(json)).toBe(json);
      },
    ),
  );
});
