import { PassThrough } from "node:stream";
import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { withoutPastes } from "./pasting.ts";

/** What readline gets of these pieces, and what it stands for. */
async function typed(pieces: readonly string[]): Promise<{ keys: string; whole: string }> {
  const input = new PassThrough();
  const pasting = withoutPastes(input);
  let keys = "";
  pasting.keys.on("data", (chunk) => (keys += String(chunk)));
  for (const piece of pieces) {
    input.write(piece);
    await setTimeout(0);
  }
  await setTimeout(60); // an escape that stands alone is held back for 50
  pasting.close();
  return { keys, whole: pasting.whole(keys) };
}

const paste = "see \u001b[200~one\r\ntwo\n\u001b[31mthree\u001b[201~ and more\r";

test("a paste of several lines is one word, wherever the terminal's marks are split", async () => {
  const cuts = fc.array(fc.nat(paste.length), { maxLength: 6 }).map((at) => at.toSorted((a, b) => a - b));
  await fc.assert(
    fc.asyncProperty(cuts, async (at) => {
      const pieces = [...at, paste.length].map((end, index) => paste.slice(at[index - 1] ?? 0, end));
      expect(await typed(pieces.filter((piece) => piece !== ""))).toEqual({
        keys: "see [pasted 1: 3 lines] and more\r",
        whole: "see one\ntwo\n[31mthree and more\r",
      });
    }),
    { numRuns: 60 },
  );
});

test.each([
  ["keys", ["a", "\u001b[A", "\r"], "a\u001b[A\r", "a\u001b[A\r"],
  ["an escape alone", ["\u001b"], "\u001b", "\u001b"],
  [
    "a paste of one line, as if typed, without what a terminal would obey",
    ["\u001b[200~a\tb\u0003\u001b[201~"],
    "a  b",
    "a  b",
  ],
  ["lines that come all at once without marks", ["a\rb\rc\r"], "[pasted 1: 4 lines]", "a\nb\nc\n"],
  ["a mark that nothing ends", ["\u001b[200~a\n"], "", ""],
  [
    "two pastes",
    ["\u001b[200~a\nb\u001b[201~ \u001b[200~c\nd\u001b[201~"],
    "[pasted 1: 2 lines] [pasted 2: 2 lines]",
    "a\nb c\nd",
  ],
])("%s", async (_, pieces, keys, whole) => {
  expect(await typed(pieces)).toEqual({ keys, whole });
});

test("a paste of a megabyte is taken at once", async () => {
  const text = "line of a log\n".repeat(75_000);
  const { keys, whole } = await typed([`\u001b[200~${text}\u001b[201~`]);
  expect([keys, whole === text]).toEqual(["[pasted 1: 75001 lines]", true]);
});
