import fc from "fast-check";
import { expect, test } from "vitest";
import { decode, linesOf } from "./text.ts";
import { viewOf } from "./view.ts";

function view(bytes: Uint8Array | string): [text: string, lines: number, encoding: string, eol: string] {
  const { text, lines, encoding, eol } = viewOf("a.txt", Buffer.from(bytes));
  return [text, lines, encoding, eol];
}

function utf16be(text: string): Buffer {
  return Buffer.from(text, "utf16le").swap16();
}

test("a view is text, line count, encoding and ends", () => {
  expect(viewOf("a.txt", Buffer.from("one\r\ntwo\r\n"))).toEqual({
    path: "a.txt",
    text: "one\ntwo\n",
    hash: "6f4792b265fe72790b344fd3ef5294701d9d087bed9fce815c0f4bbad6d2ed87",
    lines: 2,
    encoding: "utf-8",
    eol: "crlf",
  });
});

test("lines are counted as an editor numbers them", () => {
  expect(["", "\n", "a", "a\n", "a\nb", "a\n\n", "\n\n"].map((text) => view(text)[1])).toEqual([0, 1, 1, 1, 2, 2, 2]);
  expect(["", "\n", "a", "a\nb\n", "a\n\n"].map((text) => linesOf(text))).toEqual([
    [],
    [""],
    ["a"],
    ["a", "b"],
    ["a", ""],
  ]);
});

test("the ends of lines are named, and a lone CR ends none", () => {
  expect(view("a\nb\n")).toEqual(["a\nb\n", 2, "utf-8", "lf"]);
  expect(view("a\r\nb\nc\rd\ne\r\n")).toEqual(["a\nb\nc\rd\ne\n", 4, "utf-8", "mixed"]);
  expect(view("a\rb\rc")).toEqual(["a\rb\rc", 1, "utf-8", "none"]);
  expect(view("a\r\r\nb")).toEqual(["a\r\nb", 2, "utf-8", "crlf"]);
  expect(view("a\u2028b\u0085c\vd\fe")).toEqual(["a\u2028b\u0085c\vd\fe", 1, "utf-8", "none"]);
});

test("a BOM is not part of the text", () => {
  expect(view("\ufeffé\n")).toEqual(["é\n", 1, "utf-8-bom", "lf"]);
  expect(view(Buffer.from("\ufeffé\r\n𝄞\r\n", "utf16le"))).toEqual(["é\n𝄞\n", 2, "utf-16le", "crlf"]);
  expect(view(utf16be("\ufeffé\n𝄞"))).toEqual(["é\n𝄞", 2, "utf-16be", "lf"]);
  expect(view("\ufeff")).toEqual(["", 0, "utf-8-bom", "none"]);
});

test("bytes that are no UTF-8 are shown one by one, and valid characters beside them as they are", () => {
  expect(view(Buffer.from("caf\xe9 na\xefve\n", "latin1"))).toEqual(["caf\\xE9 na\\xEFve\n", 1, "bytes", "lf"]);
  expect(view(Buffer.concat([Buffer.from("日本\n"), Buffer.of(0x80), Buffer.from("é")]))).toEqual([
    "日本\n\\x80é",
    2,
    "bytes",
    "lf",
  ]);
  expect(view(Buffer.of(0xed, 0xa0, 0x80))[0]).toBe("\\xED\\xA0\\x80");
  expect(view(Buffer.of(0xc0, 0xaf))[0]).toBe("\\xC0\\xAF");
  expect(view(Buffer.of(0x61, 0xf0, 0x9f, 0x98))[0]).toBe("a\\xF0\\x9F\\x98");
});

test("an escape that stands in the file itself is told from a byte", () => {
  expect(view(Buffer.from("\\xE9 \\xe9 \xe9\\\xe9", "latin1"))[0]).toBe(String.raw`\x5CxE9 \xe9 \xE9\\xE9`);
  expect(view("\\xE9")[0]).toBe("\\xE9");
});

test("a replacement character is shown only where the file holds one", () => {
  expect(view("\ufffd")).toEqual(["\ufffd", 1, "utf-8", "none"]);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      const decoded = decode(bytes);
      fc.pre(decoded !== undefined && !decoded.encoding.startsWith("utf-16"));
      expect(decoded?.text.includes("\ufffd")).toBe(Buffer.from(bytes).includes("\ufffd"));
    }),
  );
});

test("the bytes can be told from the view of what is no UTF-8", () => {
  const text = fc.constantFrom("\\", "x", "E9", "\\xE9", "\n", "é").map((part) => Buffer.from(part));
  const bytes = fc.uint8Array({ min: 1, maxLength: 4 }).map((part) => Buffer.from(part));
  fc.assert(
    fc.property(fc.array(fc.oneof(text, bytes)), (parts) => {
      const bytes = Buffer.concat([Buffer.of(0x80), ...parts]);
      const decoded = decode(bytes);
      expect(decoded?.encoding).toBe("bytes");
      const back = Buffer.concat(
        (decoded?.text ?? "")
          .split(/(\\x[0-9A-F]{2})/)
          .map((part, index) => (index % 2 === 1 ? Buffer.from(part.slice(2), "hex") : Buffer.from(part))),
      );
      expect(back).toEqual(bytes);
    }),
  );
});

test("a NUL in the first 8 KB makes a file binary, and later it is a character", () => {
  const binary = expect.objectContaining({ code: "E_BINARY", message: "a.txt is a binary file." });
  expect(() => view("a\0b")).toThrow(binary);
  expect(() => view("a".repeat(8_191) + "\0")).toThrow(binary);
  expect(view("a".repeat(8_192) + "\0")[2]).toBe("utf-8");
});

test("UTF-16 that is damaged, or is really UTF-32, is binary", () => {
  const damaged = Buffer.concat([Buffer.from("\ufeffabc", "utf16le"), Buffer.of(0x00, 0xd8, 0x20, 0x00)]);
  const utf32 = Buffer.of(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0);
  const odd = Buffer.concat([Buffer.from("\ufeffabc", "utf16le"), Buffer.of(0x20)]);
  expect([damaged, utf32, odd].map((bytes) => decode(bytes))).toEqual([undefined, undefined, undefined]);
});
