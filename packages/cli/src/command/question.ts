/** What was asked, and about which folder, told apart from the words of a command line. */

import { resolve } from "node:path";
import type { Input } from "../io.ts";
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

/**
 * The text piped in, up to the end of the stream; "" when there is none, when it is a terminal's, or when nothing came within
 * `waitMs` (an open pipe that nobody ever writes to must not hold croft for ever). Throws UsageError E_TOO_LONG.
 */
export async function readPiped(stdin: Input, waitMs: number | undefined, signal: AbortSignal): Promise<string> {
  if (stdin.isTTY === true && waitMs !== undefined) return "";
  const stop = (): unknown => stdin.destroy();
  const timer = waitMs === undefined ? undefined : setTimeout(stop, waitMs);
  signal.addEventListener("abort", stop);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stdin) {
      clearTimeout(timer);
      const bytes = Buffer.from(chunk);
      chunks.push(bytes);
      size += bytes.length;
      if (size > limit) throw new UsageError("E_TOO_LONG", "The question is longer than 1 MB.", "Ask a shorter one.");
    }
  } catch (error) {
    if (error instanceof UsageError) throw error; // else the stream was ended above: what came is what there is
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    stdin.destroy();
  }
  return Buffer.concat(chunks).toString("utf8").trim();
}

/** A question must hold something. Throws UsageError E_NO_QUESTION. */
export function someQuestion(asked: Asked): Asked {
  if (asked.question !== "") return asked;
  const usage = 'Usage: croft ask [dir] "<question>", for example croft ask "Where is main defined?"';
  throw new UsageError("E_NO_QUESTION", "There is no question.", usage);
}

function looksLikePath(word: string): boolean {
  return word === "." || word === ".." || (word.includes("/") && !/\s/.test(word));
}
