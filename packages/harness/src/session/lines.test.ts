import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { linesBackwards, linesOf, type RawLine } from "./lines.ts";

function fileOf(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), "croft-lines-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "log.jsonl");
  writeFileSync(file, content);
  return file;
}

async function textsOf(lines: AsyncIterable<RawLine>): Promise<[number, string | undefined][]> {
  const texts: [number, string | undefined][] = [];
  for await (const { at, bytes } of lines) texts.push([at, bytes?.toString()]);
  return texts;
}

test("lines are the same from both ends, with the byte each begins at, however much is read at once", async () => {
  const pieces = fc.array(fc.stringMatching(/^[aé\n]{0,9}$/));
  await fc.assert(
    fc.asyncProperty(pieces, fc.integer({ min: 1, max: 20 }), async (parts, piece) => {
      const content = parts.join("");
      let at = 0;
      const expected = content.split("\n").map((text) => {
        const line = [at, text];
        at += Buffer.byteLength(text) + 1;
        return line;
      });
      const file = fileOf(content);
      expect(await textsOf(linesOf(file, piece))).toEqual(expected);
      expect(await textsOf(linesBackwards(file, piece))).toEqual(content === "" ? [[0, ""]] : expected.toReversed());
    }),
    { numRuns: 200 },
  );
});

test("a line longer than any of a session is passed over, from both ends", async () => {
  const long = "x".repeat(129 * 1024 * 1024);
  const file = fileOf(`one\n${long}\ntwo`);
  const expected = [
    [0, "one"],
    [4, undefined],
    [5 + long.length, "two"],
  ];
  expect(await textsOf(linesOf(file))).toEqual(expected);
  expect(await textsOf(linesBackwards(file))).toEqual(expected.toReversed());
});
