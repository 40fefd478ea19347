import fc from "fast-check";
import { expect, test } from "vitest";
import { emptyStream, ended, fed } from "./stream.ts";

/** The blocks of a text that comes in pieces. */
function blocksOf(...pieces: string[]): string[] {
  let stream = emptyStream;
  const blocks: string[] = [];
  for (const piece of pieces) {
    const next = fed(stream, piece);
    stream = next.stream;
    blocks.push(...next.blocks);
  }
  return [...blocks, ...ended(stream)];
}

test.each<[string, string, string[]]>([
  ["paragraphs", "one\ntwo\n\nthree", ["one\ntwo\n\n", "three"]],
  ["a heading ends what was before, and itself", "one\n# Two\nthree", ["one\n", "# Two\n", "three"]],
  [
    "a list with blank lines and paragraphs in it",
    "- a\n\n  more\n\n- b\n\nend\n",
    ["- a\n\n  more\n\n- b\n\n", "end\n"],
  ],
  ["code holds blank lines", "```ts\na\n\nb\n```\nend", ["```ts\na\n\nb\n```\n", "end"]],
  ["a fence within another", "````\n```\n````\nend", ["````\n```\n````\n", "end"]],
  [
    "code in a list",
    "- a\n\n  ```\n  x\n\n  y\n  ```\n- b\n\nend\n",
    ["- a\n\n  ```\n  x\n\n  y\n  ```\n- b\n\n", "end\n"],
  ],
  ["a table", "| a |\n|---|\n| 1 |\n\nend", ["| a |\n|---|\n| 1 |\n\n", "end"]],
])("%s", (_, text, blocks) => {
  expect(blocksOf(text)).toEqual(blocks);
  expect(blocksOf(...Array.from(text))).toEqual(blocks);
});

test("a block is given away as soon as the next one begins, and kept until then", () => {
  const first = fed(emptyStream, "one\n\n");
  expect(first.blocks).toEqual([]);
  expect(fed(first.stream, "t").blocks).toEqual(["one\n\n"]);
});

test("long code goes on in blocks of the same language", () => {
  const code = Array.from({ length: 500 }, (_, line) => `line ${line}`);
  const blocks = blocksOf(`\`\`\`ts\n${code.join("\n")}\n\`\`\`\n`);
  expect(blocks.length).toBeGreaterThan(2);
  expect(blocks.every((block) => /^```ts\n[^`]*```\n$/.test(block))).toBe(true);
  expect(blocks.flatMap((block) => block.split("\n").slice(1, -2))).toEqual(code);
});

test("nothing is lost and nothing is kept for long, whatever comes in whatever pieces", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom("\n", "\n\n", "- a\n", "# b\n", "| x |\n", "> q\n", "    c\n", "x".repeat(9_000)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const whole = pieces.join("");
      let stream = emptyStream;
      for (const each of pieces) {
        stream = fed(stream, each).stream;
        expect(stream.pending.length).toBeLessThanOrEqual(8_000 + 20);
      }
      const ink = (text: string): string => text.replaceAll(/\s/g, "");
      if (!/`{3}|~{3}/.test(whole)) expect(ink(blocksOf(...pieces).join(""))).toBe(ink(whole));
    }),
  );
});
