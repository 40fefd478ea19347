import fc from "fast-check";
import { expect, test } from "vitest";
import { createDecoder } from "./characters.ts";
import { createScreen } from "./screen.ts";

/** What is shown of bytes that arrive in these pieces. */
function shown(...pieces: (string | Uint8Array)[]): string {
  let text = "";
  const decoder = createDecoder();
  const screen = createScreen((piece) => {
    text += piece;
  });
  for (const piece of pieces) screen.write(decoder.write(Buffer.from(piece)));
  screen.write(decoder.end());
  screen.end();
  return text;
}

test.each([
  ["plain lines", "one\ntwo\n", "one\ntwo\n"],
  ["an end without a line feed", "one\ntwo", "one\ntwo"],
  ["CRLF", "one\r\ntwo\r\n", "one\ntwo\n"],
  ["a doubled CR before the LF", "one\r\r\ntwo", "one\ntwo"],
  ["progress: the last state of a line", " 10%\r 50%\r100%\n", "100%\n"],
  ["a shorter text written over a longer one, as a terminal shows it", "abcdef\rXY\n", "XYcdef\n"],
  ["progress that erases the rest", "downloading\r\x1b[Kdone\n", "done\n"],
  ["progress that erases the line, then returns", "downloading\x1b[2K\rdone\n", "done\n"],
  ["progress that erases the line, then goes to column 1", "downloading\x1b[2K\x1b[1Gdone\n", "done\n"],
  ["progress left at its last state", "10%\r20%", "20%"],
  ["a CR at the very end", "text\r", "text"],
  ["a spinner of backspaces", "work |\b/\b-\bok\n", "work ok\n"],
  ["bold and underlined as man pages have it", "N\bNA\bAM\bME\bE _\bx_\by\n", "NAME xy\n"],
  ["backspaces beyond the start", "a\b\b\bb\n", "b\n"],
  ["colours", "\x1b[1;31merror\x1b[0m: \x1b[38;2;1;2;3mbad\x1b[m\x1b[K\n", "error: bad\n"],
  ["columns", "name\x1b[8Gvalue\n", "name   value\n"],
  ["steps within the line", "abc\x1b[2DX\x1b[3CY\n", "aXc  Y\n"],
  ["a title and a link (OSC), ended both ways", "\x1b]0;title\x07a\x1b]8;;http://x\x1b\\b\n", "ab\n"],
  ["a string that is never ended takes no more than its line", "a\x1b]0;title\nnext\n", "a\nnext\n"],
  ["DCS, APC, PM, SOS", "a\x1bPq#1\x1b\\b\x1b_x\x1b\\c\x1b^y\x1b\\d\x1bXz\x1b\\e\n", "abcde\n"],
  ["sequences of one character (C1)", "a\u009b31mb\u009dtitle\u009cc\n", "abc\n"],
  ["character sets, keypad, cursor keys", "\x1b(B\x1b=\x1b>\x1b7a\x1b8\x1bcb\n", "ab\n"],
  ["a sequence interrupted by a line feed", "a\x1b[31\nb\n", "a\nb\n"],
  ["a sequence interrupted by another", "a\x1b[31\x1b[0mb\x1b\x1b[0mc\n", "abc\n"],
  ["an escape at the very end", "a\x1b", "a"],
  ["a bell and shifts", "a\x07\x0e\x0fb\n", "ab\n"],
  ["other control characters", "a\0b\x01\x0c\x7f\n", String.raw`a\x00b\x01\x0C\x7F` + "\n"],
  ["characters beyond ASCII", "é 日本 👩‍👩‍👧 \u0301\n", "é 日本 👩‍👩‍👧 \u0301\n"],
  ["characters beyond the first plane written over", "👍👍\r👎\n", "👎👍\n"],
  ["a BOM", "\ufeffa\n", "\ufeffa\n"],
])("%s", (_, output, text) => {
  expect(shown(output)).toBe(text);
});

test("bytes that are no UTF-8 are shown, and no replacement character is put in", () => {
  const output = Buffer.from([0x61, 0xe9, 0x62, 0xff, 0xed, 0xa0, 0x80, 0xc3, 0xa9, 0xf0, 0x9f, 0x98, 0x0a]);
  expect(shown(output)).toBe(String.raw`a\xE9b\xFF\xED\xA0\x80é\xF0\x9F\x98` + "\n");
  expect(shown("\ufffd")).toBe("\ufffd");
});

test("a character cut anywhere is joined", () => {
  const bytes = Buffer.from("é日👍");
  for (let at = 0; at <= bytes.length; at++) expect(shown(bytes.subarray(0, at), bytes.subarray(at))).toBe("é日👍");
});

/** Bytes of which much is said above, so that what is cut is worth cutting. */
const output = fc
  .array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.constantFrom("\r", "\n", "\b", "\x1b", "\x1b[", "\x1b]", "\x1b\\", "\x1b[2K", "\x1b[K"),
      },
      {
        weight: 2,
        arbitrary: fc.constantFrom("\x07", "\x9b", "\x1b[5G", "\x1b[2D", "\x1b[3C", "\x1bP", "12;", "é", "👍"),
      },
      { weight: 2, arbitrary: fc.string({ unit: "binary" }) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 40_000 }).map((count) => "ab".repeat(count)) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 9 }) },
    ),
    { maxLength: 40 },
  )
  .map((parts) => Buffer.concat(parts.map((part) => Buffer.from(part))));

test("however the bytes are cut, the text is the same", () => {
  const cuts = fc.array(fc.nat(200_000), { maxLength: 12 });
  fc.assert(
    fc.property(output, cuts, (bytes, places) => {
      const at = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
      const pieces = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
      expect(shown(...pieces)).toBe(shown(bytes));
    }),
    { numRuns: 1_000 },
  );
});

test("byte by byte as well", () => {
  fc.assert(
    fc.property(
      output.filter(({ length }) => length < 2_000),
      (bytes) => {
        expect(shown(...[...bytes].map((byte) => Buffer.from([byte])))).toBe(shown(bytes));
      },
    ),
    { numRuns: 300 },
  );
});

test("nothing that a terminal would obey is left", () => {
  fc.assert(
    fc.property(output, (bytes) => {
      expect(shown(bytes)).toMatch(/^[\P{Cc}\n\t]*$/u);
    }),
  );
});
