import fc from "fast-check";
import { expect, test } from "vitest";
import { growth, linear } from "../../../../test/support/growth.ts";
import { Failure } from "../error.ts";
import { bomSize, encode } from "../workspace/text/encode.ts";
import { edit } from "./edit.ts";
import { sourceOf, type Source } from "./source.ts";

type Bytes = string | Uint8Array;

function edited(file: Bytes, old: string, text: string, all?: "all"): string {
  const { bytes } = edit(sourceOf("a.txt", Buffer.from(file)), { old, new: text, all: all === "all" });
  return bytes.toString(typeof file === "string" ? "utf8" : "latin1");
}

function refused(file: Bytes, old: string, text: string, all?: "all"): [code: string, narration: string] {
  try {
    edited(file, old, text, all);
  } catch (error) {
    if (error instanceof Failure) return [error.code, error.narration];
    throw error;
  }
  throw new Error("It was not refused.");
}

const latin = (text: string): Buffer => Buffer.from(text, "latin1");

test("a text that stands once is replaced, literally", () => {
  expect(edited("say(1);\n", "say(1);", 'say("$& $1 $$ $` $\'");')).toBe('say("$& $1 $$ $` $\'");\n');
  expect(edited("say(1);\n", "say(1);", 'say("$& $1 $$ $` $\'");', "all")).toBe('say("$& $1 $$ $` $\'");\n');
  expect(edited("x\n", "x", 's = "p\\nq"; re = /\\\\d"/')).toBe('s = "p\\nq"; re = /\\\\d"/\n');
  expect(edited("<<<<<<< A\np\n=======\nq\n>>>>>>> B\n", "<<<<<<< A\np\n=======\nq\n>>>>>>> B\n", "p\n")).toBe("p\n");
});

test("all occurrences are replaced, from the left and not overlapping", () => {
  expect(edit(sourceOf("a", Buffer.from("aaa b aa")), { old: "aa", new: "c", all: true })).toEqual({
    bytes: Buffer.from("ca b c"),
    count: 2,
  });
});

test("line breaks of any kind match those of the file, and new ones are written as the file writes them", () => {
  expect(edited("a\r\nb\r\nc\r\n", "a\nb", "a\nB")).toBe("a\r\nB\r\nc\r\n");
  expect(edited("a\r\nb\r\nc\r\n", "a\r\nb", "a\r\nB\r\nC")).toBe("a\r\nB\r\nC\r\nc\r\n");
  expect(edited("a\nb\n", "a\r\nb", "a\r\nx\r\nB")).toBe("a\nx\nB\n");
  expect(edited("u\r\nv\r\n", "u\n", "u1\nu2\n")).toBe("u1\r\nu2\r\nv\r\n");
  expect(edited("a\nb", "b", "b\r\nc")).toBe("a\nb\nc");
});

test("a file with mixed ends keeps each of them", () => {
  const mixed = "a\r\nb\nc\rd\ne\r\n";
  expect(edited(mixed, "b", "B")).toBe("a\r\nB\nc\rd\ne\r\n");
  expect(edited(mixed, "a\nb\nc\rd\ne\n", "a\nB\nc\rd\ne\n")).toBe("a\r\nB\nc\rd\ne\r\n");
  expect(edited("1\r\n2\n3\r\n4\n", "1\n2\n3\n4\n", "1\n3\n4\n")).toBe("1\r\n3\r\n4\n");
  expect(edited("1\r\n2\n3\r\n4\n", "1\n2\n3\n4\n", "0\n1\n2\n3\nx\n4\n")).toBe("0\r\n1\r\n2\n3\r\nx\n4\n");
  expect(edited("1\r\n2\r\n3\n4\n5\n", "2", "2\nx")).toBe("1\r\n2\r\nx\r\n3\n4\n5\n");
});

test("a lone carriage return is a character", () => {
  expect(edited("a\rb\n", "\rb", "\rc")).toBe("a\rc\n");
  expect(edited("a\r\r\nb\n", "a\r\r\nb", "a\rB\nb")).toBe("a\rB\r\nb\n");
  expect(edited("a\r\r\nb\n", "a\r", "a")).toBe("a\r\nb\n");
  expect(edited("a\r\r\nb\n", "a\r\nb", "x\nb")).toBe("x\r\nb\n");
});

test("byte order mark and encoding stay", () => {
  expect(edited("a: 1\r\n", "a: 1", "a: 2")).toBe("a: 2\r\n");
  expect(edited("\ufeffa: 1\r\n", "a: 1\n", "b: 2\nc\n")).toBe("\ufeffb: 2\r\nc\r\n");
  const wide = (text: string): Buffer => Buffer.from(`\ufeff${text}`, "utf16le");
  expect(edited(wide("é𝄞\r\n"), "𝄞\n", "日本\n𝄞\n")).toBe(wide("é日本\r\n𝄞\r\n").toString("latin1"));
  expect(edited(wide("a").swap16(), "a", "ü")).toBe(wide("ü").swap16().toString("latin1"));
});

test("text of unknown encoding keeps every byte that is not replaced", () => {
  expect(edited(latin("k=0\n\xc4\xe3\xba\xc3\n"), "k", "m")).toBe("m=0\n\xc4\xe3\xba\xc3\n");
  expect(edited(latin("k=0 \x93\xfa\x96\x7b\n"), "k", "m")).toBe("m=0 \x93\xfa\x96\x7b\n");
  expect(edited(latin("caf\xe9 bar\n"), String.raw`caf\xE9 bar`, String.raw`bar caf\xE9, \xE9`)).toBe(
    "bar caf\xe9, \xe9\n",
  );
  expect(edited(latin("\xe9 x\n"), "x", String.raw`"\xe9" "\x5CxE9"`)).toBe('\xe9 "\\xe9" "\\xE9"\n');
  expect(edited(Buffer.concat([latin("\xe9"), Buffer.from("日 x")]), "日 x", "x 日")).toBe(
    Buffer.concat([latin("\xe9"), Buffer.from("x 日")]).toString("latin1"),
  );
});

test("text that a file cannot hold is refused", () => {
  const unknown = "a.txt is not UTF-8, and its encoding is not known:";
  expect(refused(latin("\xe9 x\n"), "x", "é")).toEqual([
    "E_ENCODING",
    `${unknown} é in the new text could be written in many ways. Use ASCII, and such \\xNN as the text to be replaced shows.`,
  ]);
  expect(refused(latin("\xe9 x\n"), "x", String.raw`\xE9`)).toEqual([
    "E_ENCODING",
    String.raw`${unknown} \xE9 in the new text could be a byte or four characters. For the byte, take a line that shows \xE9 into the text to be replaced; for the characters write \x5CxE9.`,
  ]);
  expect(refused("x", "x", "\ud800")[0]).toBe("E_ENCODING");
  expect(refused("x", "x", "a\0")[0]).toBe("E_ENCODING");
  expect(refused("x", "x", "\ufeffa")[0]).toBe("E_ENCODING");
  expect(refused("a".repeat(70_000), "a", "b".repeat(1_000), "all")).toEqual([
    "E_TOO_LARGE",
    "a.txt would grow beyond 64 MiB. Replace less, or with less.",
  ]);
  expect(refused("a".repeat(100_001), "a", "b", "all")).toEqual([
    "E_TOO_LARGE",
    "old_string stands more than 100000 times in a.txt. Replace a longer text, which stands there less often.",
  ]);
});

test("nothing begins or ends inside a character", () => {
  expect(refused(latin("\xe9 x\n"), "xE9", "y")[0]).toBe("E_NO_MATCH");
  expect(refused(latin("\xe9 x\n"), "\\", "y")[0]).toBe("E_NO_MATCH");
  expect(refused("𝄞", "\ud834", "y")[0]).toBe("E_NO_MATCH");
  expect(edited(latin("\\\xe9xE9\n"), "xE9", "y", "all")).toBe("\\\xe9y\n");
  expect(edited(latin("\\\\xE9 \xe9\n"), String.raw`\\x5C`, "y")).toBe("yxE9 \xe9\n");
});

test("a text that stands more than once is refused, and its lines are named", () => {
  expect(refused("x\ny\nx\nx x\n", "x", "z")).toEqual([
    "E_AMBIGUOUS",
    "old_string stands 4 times in a.txt: at lines 1, 3, 4. Take in more lines around the one that is meant, or set replace_all to change every one.",
  ]);
  expect(refused("x\n".repeat(20), "x", "z")[1]).toMatch(
    "stands more than 10 times in a.txt: at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ….",
  );
  expect(refused("aaa", "aa", "b")[1]).toMatch("stands 2 times in a.txt: at line 1.");
});

test("an empty old text means something only in an empty file", () => {
  expect([edited("", "", "a\n"), edited("\ufeff", "", "a\n")]).toEqual(["a\n", "\ufeffa\n"]);
  expect(refused("x", "", "y")).toEqual([
    "E_EMPTY_OLD",
    "old_string is empty, and a.txt is not. Name the text to be replaced; to insert, name the line beside it and repeat it in new_string.",
  ]);
});

test("an edit that changes nothing is refused", () => {
  expect(refused("k", "k", "k")[0]).toBe("E_NO_CHANGE");
  expect(refused("a\nb", "a\nb", "a\r\nb")[0]).toBe("E_NO_CHANGE");
});

test("what is no text is refused", () => {
  expect(refused("a\0b", "a", "c")[0]).toBe("E_BINARY");
});

const parts = fc.constantFrom("a", "b", "\n", "\r\n", "\r", "é", "𝄞", "\\xE9", "\\x5C", "ab\n", " ");
const texts = fc.array(parts, { maxLength: 12 }).map((some) => some.join(""));
const marks = [Buffer.of(), Buffer.from("\ufeff"), Buffer.of(0x80, 0xe9)];
const narrow = fc
  .tuple(fc.constantFrom(...marks), texts)
  .map(([mark, text]) => Buffer.concat([mark, Buffer.from(text)]));
const wide = texts.map((text) => Buffer.from(`\ufeff${text}`, "utf16le"));

test("an edit changes the bytes that stand for the old text, and no others", () => {
  let landed = 0;
  const changesOnlyThat = (bytes: Buffer, start: number, length: number, text: string): void => {
    const source = sourceOf("a", bytes);
    const { raw, encoding } = source;
    const old = source.text.slice(start, start + length);
    let after: Buffer;
    try {
      after = edit(source, { old, new: text }).bytes;
    } catch (error) {
      if (error instanceof Failure) return;
      throw error;
    }
    landed += 1;
    const at = wholePlace(source, old);
    const head = bytes.subarray(0, bomSize(encoding) + encode(raw.slice(0, rawIndex(raw, at)), encoding).length);
    const tail = encode(raw.slice(rawIndex(raw, at + old.length)), encoding);
    const middle = after.subarray(head.length, after.length - tail.length);
    expect([after.subarray(0, head.length), after.subarray(after.length - tail.length)]).toEqual([head, tail]);
    expect(butForEnds(middle, encoding)).toBe(butForEnds(encode(text, encoding), encoding));
  };
  const anyFile = fc.oneof(narrow, wide);
  fc.assert(fc.property(anyFile, fc.nat(12), fc.nat(6), texts, changesOnlyThat), { numRuns: 3_000 });
  expect(landed).toBeGreaterThan(300);
});

/** The first place of `old` that neither begins nor ends inside an escape, each of which is put out of the way. */
function wholePlace({ text, encoding }: Source, old: string): number {
  const escape = /\\x[0-9A-F]{2}/g;
  const marked = (part: string): string =>
    encoding === "bytes"
      ? part.replace(escape, (byte) => String.fromCharCode(0xe000 + parseInt(byte.slice(2), 16)))
      : part;
  const at = marked(text).indexOf(marked(old));
  return encoding === "bytes" ? lengthUnmarked(marked(text).slice(0, at)) : at;
}

function lengthUnmarked(text: string): number {
  return text.replace(/[\ue000-\ue0ff]/g, "1234").length;
}

function butForEnds(bytes: Buffer, encoding: string): string {
  return bytes.toString(encoding === "utf-16le" ? "utf16le" : "latin1").replace(/\r*\n/g, "\n");
}

/** Where a place of the view is in the text with its carriage returns, counted one by one. */
function rawIndex(raw: string, at: number): number {
  let index = 0;
  for (let seen = 0; seen < at; seen++) index += raw.startsWith("\r\n", index) ? 2 : 1;
  return index;
}

test("a file that repeats itself is searched in time that grows with it", async () => {
  const search = (scale: number): void => {
    const size = 20_000 * scale;
    const old = `${"a\n".repeat(size / 4)}b${"a\n".repeat(size / 4)}`;
    expect(refused("a\n".repeat(size), old, "x")[0]).toBe("E_NO_MATCH");
    expect(refused("a\n".repeat(size), "a\n".repeat(size / 4), "x")[0]).toBe("E_AMBIGUOUS");
    edited("a\n".repeat(size), "a\n".repeat(8), "x\n", "all");
  };
  expect(await growth(search)).toBeLessThan(linear);
});
