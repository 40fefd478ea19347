import fc from "fast-check";
import { expect, test } from "vitest";
import type { HeldFile } from "../workspace/held.ts";
import { plantFiles } from "./files.testing.ts";
import { linesIn, type Line, type Lines } from "./lines.ts";

const never = new AbortController().signal;

async function held(content: string | Uint8Array): Promise<{ file: HeldFile; lines: Lines }> {
  const { hold } = plantFiles({ f: content });
  const file = await hold("f");
  return { file, lines: linesIn(file) };
}

async function texts(found: AsyncIterable<Line>, most = 100): Promise<string[]> {
  const all: string[] = [];
  for await (const { line, text, cut } of found) {
    all.push(`${line}:${text}${cut ? "…" : ""}`);
    if (all.length === most) break;
  }
  return all;
}

/** All lines, the last two, and how many there are. */
async function seen(content: string | Uint8Array): Promise<[all: string[], last: string[], count: number]> {
  const { lines } = await held(content);
  const all = await texts(lines.from(1, 100, never));
  return [all, await texts(lines.last(2, 100, never)), await lines.count(never)];
}

test("lines are numbered from 1, and a final line break ends the last one", async () => {
  expect(await seen("one\ntwo\nthree\n")).toEqual([["1:one", "2:two", "3:three"], ["2:two", "3:three"], 3]);
  expect(await seen("one\ntwo\nthree")).toEqual([["1:one", "2:two", "3:three"], ["2:two", "3:three"], 3]);
  expect(await seen("one")).toEqual([["1:one"], ["1:one"], 1]);
  expect(await seen("")).toEqual([[], [], 0]);
  expect(await seen("\n")).toEqual([["1:"], ["1:"], 1]);
  expect(await seen("\n\n")).toEqual([["1:", "2:"], ["1:", "2:"], 2]);
});

test("a line ends in LF, a CR before it is no part of it, and a lone CR is a character", async () => {
  expect(await seen("a\r\nb\rc\r\n")).toEqual([["1:a", "2:b\rc"], ["1:a", "2:b\rc"], 2]);
});

test("a byte order mark is no part of the first line", async () => {
  expect(await seen("\ufeffa\nb")).toEqual([["1:a", "2:b"], ["1:a", "2:b"], 2]);
  expect(await seen("\ufeff")).toEqual([[], [], 0]);
});

test("UTF-16 is read in both orders, and U+0A0A in it is no line break", async () => {
  const text = "\ufeffa\r\n\u0a0a\u0100\u010a𝄞\nc";
  const lines = ["1:a", "2:\u0a0a\u0100\u010a𝄞", "3:c"];
  expect(await seen(Buffer.from(text, "utf16le"))).toEqual([lines, lines.slice(1), 3]);
  expect(await seen(Buffer.from(text, "utf16le").swap16())).toEqual([lines, lines.slice(1), 3]);
});

test("bytes that are no UTF-8 are shown one by one", async () => {
  expect((await seen(Buffer.from("caf\xe9\n\xff", "latin1")))[0]).toEqual([String.raw`1:caf\xE9`, String.raw`2:\xFF`]);
});

test("a NUL is a character, but for the start of a file, where it makes it binary", async () => {
  expect((await seen(`${"x\n".repeat(5_000)}a\0b\n`))[1]).toEqual(["5000:x", "5001:a\0b"]);
  await expect(held("a\0b")).rejects.toMatchObject({ code: "E_BINARY" });
});

test("of a line of 10 MB as much is held as is wanted, and the next one is found", async () => {
  const { lines } = await held(`first\n${"é".repeat(5_000_000)}\nlast\n`);
  expect(await texts(lines.from(2, 6, never))).toEqual(["2:ééé…", "3:last"]);
  expect(await texts(lines.from(2, 5, never))).toEqual(["2:éé…", "3:last"]);
  expect(await texts(lines.last(2, 6, never))).toEqual(["2:ééé…", "3:last"]);
});

test("of a file that is too large to be counted for it, the last lines are numbered from the end", async () => {
  const { lines } = await held(`${"0123456789\n".repeat(1_600_000)}end`);
  expect(await texts(lines.last(2, 100, never))).toEqual(["-2:0123456789", "-1:end"]);
  expect(await lines.count(never)).toBe(1_600_001);
  expect(await texts(lines.last(2, 100, never))).toEqual(["1600000:0123456789", "1600001:end"]);
});

test("lines are found in any order, by several readers at once", async () => {
  const { lines } = await held(Array.from({ length: 400_000 }, (_, at) => `line ${at + 1}\n`).join(""));
  const wanted = [399_999, 1, 250_000, 2, 400_001, 120_000, 400_000];
  const found = await Promise.all(wanted.map((line) => texts(lines.from(line, 100, never), 1)));
  expect(found).toEqual(wanted.map((line) => (line > 400_000 ? [] : [`${line}:line ${line}`])));
});

test("whatever stands in a file, its lines are those that an editor shows", async () => {
  const piece = fc.constantFrom("a", "é", "\r", "\n", "\n\n", "𝄞", "x".repeat(70_000));
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 20 }), fc.nat(25), async (pieces, from) => {
      const text = pieces.join("");
      const expected = text.split(/\r?\n/);
      if (expected.at(-1) === "") expected.pop();
      const bytes = Buffer.from(text);
      const file: HeldFile = {
        ...(await held("x")).file,
        size: bytes.length,
        read: async (into, position) => bytes.copy(into, 0, position),
      };
      const lines = linesIn(file);
      const shown = (found: string[], first: number): string[] => found.map((line, at) => `${first + at}:${line}`);
      expect(await texts(lines.from(from + 1, 1e6, never))).toEqual(shown(expected.slice(from), from + 1));
      const last = expected.slice(-3);
      expect(await texts(lines.last(3, 1e6, never))).toEqual(shown(last, expected.length - last.length + 1));
      expect(await lines.count(never)).toBe(expected.length);
    }),
    { numRuns: 60 },
  );
});

test("who no longer wants it is not kept waiting", async () => {
  const { lines } = await held("a\n".repeat(1_000));
  await expect(lines.count(AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
  await expect(lines.last(2, 10, AbortSignal.abort(new Error("enough"))).next()).rejects.toThrow("enough");
});
