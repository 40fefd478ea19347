/** What was asked, and about which folder, told apart from the words of a command line. */

import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { isFolder } from "../config/root.ts";
import { UsageError } from "../usage.ts";

/** Bytes. */
const limit = 1_000_000;

export type Asked = { folder: string | undefined; question: string };

/**
 * - One word or quoted text is the question.
 * - A first argument that is a folder, followed by one more, is the project. So is one written as a path (`.`, `../lib`,
 *   `src/`) before any number of words, and anything before one quoted text with blanks in it.
 * - A bare word that happens to be a folder before several words could be either: that is said, not guessed.
 * - With `-C`, every word belongs to the question.
 *
 * The question may be empty. Throws UsageError E_AMBIGUOUS.
 */
export function splitWords(words: readonly string[], folder: string | undefined, cwd: string): Asked {
  const [first = "", ...rest] = words;
  const all = { folder, question: words.join(" ").trim() };
  const named = { folder: first, question: rest.join(" ").trim() };
  if (folder !== undefined) return all;
  const exists = isFolder(resolve(cwd, first));
  if (rest.length === 0) return exists && first !== "" ? { ...named, question: "" } : all;
  if (looksLikePath(first) || (rest.length === 1 && (exists || /\s/.test(named.question)))) return named;
  if (!exists) return all;
  throw new UsageError(
    "E_AMBIGUOUS",
    `${JSON.stringify(first)} is a folder: is it the project or the first word of the question?`,
    `Put the question in quotes: croft ask ${first} "${rest.join(" ")}", or croft ask "${words.join(" ")}".`,
  );
}

/** The text of a file that holds a question. Throws UsageError: E_NO_FILE, E_TOO_LONG, E_BINARY. */
export function questionFile(file: string, cwd: string): string {
  const path = resolve(cwd, file);
  try {
    if (!statSync(path).isFile()) throw new UsageError("E_NO_FILE", `${path} is no file.`, "Name a text file.");
    if (statSync(path).size > limit) throw tooLong("The question");
    return textOf(readFileSync(path), path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new UsageError("E_NO_FILE", `${path} cannot be read (${reason}).`, "Name a text file.", error);
  }
}

/** Bytes as text, without blanks at the ends. Throws UsageError E_BINARY. */
export function textOf(bytes: Uint8Array, name: string): string {
  if (!bytes.includes(0)) return new TextDecoder().decode(bytes).trim();
  throw new UsageError("E_BINARY", `${name} is binary.`, "Only text can go with a question.");
}

/** For what no model could take. */
export function tooLong(what: string, bytes: number = limit): UsageError {
  const remedy = "Give less of it, or put it into a file of the project and name that in the question: @path.";
  return new UsageError("E_TOO_LONG", `${what} is longer than ${bytes / 1000} KB.`, remedy);
}

function looksLikePath(word: string): boolean {
  return word === "." || word === ".." || (word.includes("/") && !/\s/.test(word));
}
