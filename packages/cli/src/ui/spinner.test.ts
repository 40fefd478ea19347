import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Output } from "./output.ts";
import { openSpinner } from "./spinner.ts";

test("what runs is drawn on a line of its own, which is gone for what is written, and at the end", async () => {
  const pieces: string[] = [];
  const err: Output = {
    write: (text) => void pieces.push(text),
    flushed: async () => undefined,
    broken: () => undefined,
  };
  const spinner = openSpinner(err);
  spinner.clear();
  expect(pieces).toEqual([]);
  spinner.start("x".repeat(80));
  while (pieces.length < 3) await setTimeout(10);
  spinner.clear();
  spinner.clear();
  err.write("output\n");
  while (pieces.length < 6) await setTimeout(10);
  spinner.stop();
  spinner.stop();
  const drawn = expect.stringMatching(/^[⠋⠙⠹⠸] x{49}… \d+ s$/);
  const gone = "\r\u001b[2K";
  expect(pieces.slice(0, 4)).toEqual([drawn, gone, drawn, gone]);
  expect(pieces.filter((piece) => piece === gone).length).toBe(pieces.filter((piece) => piece.endsWith(" s")).length);
  const { length } = pieces;
  await setTimeout(300);
  expect(pieces.length).toBe(length);
});
