import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { UsageError } from "../usage.ts";
import { readPiped, splitWords } from "./question.ts";

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "croft-question-"));
  mkdirSync(join(cwd, "src"));
  writeFileSync(join(cwd, "file.ts"), "");
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

test.each([
  [["Where is it?"], undefined, "Where is it?"],
  [["where", "is", "it"], undefined, "where is it"],
  [["two", "words"], undefined, "two words"],
  [["src", "Where is it?"], "src", "Where is it?"],
  [["src", "exports"], "src", "exports"],
  [[".", "where", "is", "it"], ".", "where is it"],
  [["./src", "where", "is", "it"], "./src", "where is it"],
  [["gone", "Where is it?"], "gone", "Where is it?"],
  [["gone/", "it"], "gone/", "it"],
  [["file.ts", "Where is it?"], "file.ts", "Where is it?"],
  [["", "Where is it?"], "", "Where is it?"],
  [["src"], "src", ""],
  [["  "], undefined, ""],
  [["x".repeat(5000), "y", "\0"], undefined, `${"x".repeat(5000)} y \0`],
])("%j", (words, folder, question) => {
  expect(splitWords(words, undefined, cwd)).toEqual({ folder, question });
});

test("with -C every word is the question", () => {
  expect(splitWords(["src", "exports", "what"], "lib", cwd)).toEqual({ folder: "lib", question: "src exports what" });
});

test("a bare folder before several words could be either, and is not guessed", () => {
  expect(() => splitWords(["src", "exports", "what"], undefined, cwd)).toThrow(
    new UsageError(
      "E_AMBIGUOUS",
      '"src" is a folder: is it the project or the first word of the question?',
      'Put the question in quotes: croft ask src "exports what", or croft ask "src exports what".',
    ),
  );
});

const never = new AbortController().signal;

test("a piped question is read to its end", async () => {
  expect(await readPiped(Readable.from(["Where is", Buffer.from(" it?\n")]), undefined, never)).toBe("Where is it?");
});

test("an open pipe that stays silent is no question", async () => {
  expect(await readPiped(new PassThrough(), 20, never)).toBe("");
});

test("a terminal is not waited for", async () => {
  expect(await readPiped(Object.assign(new PassThrough(), { isTTY: true }), 600_000, never)).toBe("");
});

test("waiting for a question ends with the signal", async () => {
  const controller = new AbortController();
  const question = readPiped(new PassThrough(), undefined, controller.signal);
  controller.abort();
  expect(await question).toBe("");
});

test("a question without end is refused", async () => {
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(100_000, "x");
    })(),
  );
  await expect(readPiped(endless, undefined, never)).rejects.toThrow("longer than 1 MB");
});
