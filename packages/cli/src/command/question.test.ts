import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { UsageError } from "../usage.ts";
import { questionFile, splitWords, textOf } from "./question.ts";

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

test("a question comes from a file, blanks at its ends dropped", () => {
  writeFileSync(join(cwd, "question.md"), "\nWhere is\nit?\n\n");
  expect(questionFile("question.md", cwd)).toBe("Where is\nit?");
});

test("what is no text file is no question", () => {
  writeFileSync(join(cwd, "binary"), Buffer.of(1, 0, 2));
  writeFileSync(join(cwd, "large"), "x".repeat(1_000_001));
  const code = (file: string): string => {
    try {
      return questionFile(file, cwd);
    } catch (error) {
      return error instanceof UsageError ? error.code : String(error);
    }
  };
  expect(["gone", "src", "binary", "large", "file.ts/x"].map(code)).toEqual([
    "E_NO_FILE",
    "E_NO_FILE",
    "E_BINARY",
    "E_TOO_LONG",
    "E_NO_FILE",
  ]);
});

test("bytes that are no UTF-8 are shown as far as they can be, a NUL is refused", () => {
  expect(textOf(Buffer.from([0xe9, 0x20, 0x61]), "It")).toBe("\ufffd a");
  expect(() => textOf(Buffer.of(0x61, 0), "What was piped in")).toThrow("What was piped in is binary.");
});
