/** All that was asked: the words of the command line, a file, and what comes through stdin. */

import type { AttachedText } from "@croft/harness";
import type { Io } from "../io.ts";
import { questionFile, splitWords, textOf } from "./question.ts";
import { pipedWaitMs, readStdin, shellWaitMs } from "./stdin.ts";

export type Given = {
  words: readonly string[];
  /** As named with -C. */
  dir: string | undefined;
  /** That holds the question. */
  file: string | undefined;
  /** Whether a first word that names a folder is the project. */
  folderFirst: boolean;
  cwd: string;
};
export type Asked = { folder: string | undefined; question: string; texts: readonly AttachedText[] };

/** Bytes that may be piped in, as a question and beside one. */
const questionMost = 1_000_000;
const beside = { limit: 400_000, what: "What was piped in" };

const nothingCame =
  "Nothing came through stdin: asked without it. A final - waits until its end, < /dev/null does not wait at all.";

/**
 * The words and the file are the question; what is piped in goes with it, or is it where there is no other. A final `-`
 * says that something will come, however long it takes. The question may be empty. Throws UsageError.
 */
export async function readAsked({ words, dir, file, folderFirst, cwd }: Given, io: Io): Promise<Asked> {
  const expected = words.at(-1) === "-";
  const spoken = expected ? words.slice(0, -1) : words;
  const { folder, question: said } = folderFirst
    ? splitWords(spoken, dir, cwd)
    : { folder: dir, question: spoken.join(" ").trim() };
  const filed = file === undefined ? "" : questionFile(file, cwd);
  const question = [filed, said].filter((part) => part !== "").join("\n\n");
  if (question === "") {
    const limits = { waitMs: expected ? undefined : shellWaitMs, limit: questionMost, what: "The question" };
    const piped = await readStdin(io.stdin(), limits, io.signal);
    return { folder, question: piped === undefined ? "" : textOf(piped, "stdin"), texts: [] };
  }
  const waitMs = pipedWaitMs();
  if (!expected && waitMs === undefined) return { folder, question, texts: [] };
  const piped = await readStdin(io.stdin(), { ...beside, waitMs: expected ? undefined : waitMs }, io.signal);
  if (piped === undefined) io.err.write(`${nothingCame}\n`);
  const text = piped === undefined ? "" : textOf(piped, beside.what);
  return { folder, question, texts: text === "" ? [] : [{ name: "stdin", text }] };
}
