/** Why a text was not found: the nearest place in the file, and how it differs. */

import { Failure } from "../error.ts";
import { showPath } from "../workspace/text/show-path.ts";
import { differences, firstUnequalLine } from "./difference.ts";
import { fold, placeOfKept, type Region } from "./fold.ts";
import { similarRegion } from "./similar.ts";
import { firstOccurrence } from "./occurrences.ts";
import { lineAt, type Source } from "./source.ts";

/** No more of a file and of a text is compared, in UTF-16 code units. */
const maxText = 4_194_304;
const maxOld = 100_000;
const maxLinesShown = 12;
const maxLineShown = 200;
const maxNamed = 3;

/** `12<tab>` of read_file, `12+<tab>` of a change, `src/a.ts:12: ` of search. */
const numbered = /^\s*(?:\d*[+-]?\t|(?:\S{1,300}?[:-])?\d+[:|-] ?)/;

/**
 * What models put into a text that is not in the file, and how it reads without. Tried in this order; the first that is
 * found, or is found but for blanks, quotes and case, explains the miss.
 */
const slips: readonly { words: string; undo: (old: string) => string }[] = [
  {
    words: "holds the line numbers that tools put before each line",
    undo: (old) => {
      const lines = old.replace(/\n$/, "").split("\n");
      return lines.every((line) => numbered.test(line))
        ? lines.map((line) => line.replace(numbered, "")).join("\n")
        : old;
    },
  },
  {
    words: 'holds backslash escapes (such as \\n or \\") where the file has the characters themselves',
    undo: (old) => old.replace(/\\([nt"'\\`])/g, (_, code: string) => ({ n: "\n", t: "\t" })[code] ?? code),
  },
  ...(["NFD", "NFC"] as const).map((form) => ({
    words: `composes its accents otherwise: in the file they are as in ${form} (${form === "NFD" ? "a letter, then the accent" : "one character"})`,
    undo: (old: string) => old.normalize(form),
  })),
  {
    words: "holds line breaks or tabs where the file has a backslash and a letter",
    undo: (old) => old.replace(/[\n\t]/g, (break_) => (break_ === "\n" ? "\\n" : "\\t")),
  },
];

/**
 * The E_NO_MATCH for `old`, which is not in the file as it is. `what`: how the text is called, as `old_string`. Looks at
 * the first 4 MiB of a file.
 */
export function explainMiss(source: Source, old: string, what: string): Failure {
  const where = showPath(source.path);
  if (source.text === "")
    return miss(`In ${where}: ${what} is not there, the file is empty.`, "Write the file instead.");
  const text = source.text.slice(0, maxText);
  const asked = old.slice(0, maxOld);
  const alike = likeRegion(text, asked);
  if (alike !== undefined) {
    const found = differences(text, alike, asked, what);
    if (found.length > maxNamed) found.splice(maxNamed, Infinity, "and more");
    const words = found.join("; ") || "the file has it only as a part of something longer, a line or an escaped byte";
    return nearest(source, what, alike, words);
  }
  for (const { words, undo } of slips) {
    const undone = undo(asked);
    const region = undone === asked ? undefined : likeRegion(text, undone);
    if (region !== undefined) return nearest(source, what, region, `${what} ${words}`);
  }
  const similar = similarRegion(text, asked);
  if (similar !== undefined) return nearest(source, what, similar, firstUnequalLine(text, similar, asked, what));
  return miss(
    `In ${where}: ${what} is not there, nor anything like it.`,
    "Read the file again, or search for the place.",
  );
}

function miss(message: string, remedy: string): Failure {
  return new Failure("E_NO_MATCH", message, { remedy });
}

function nearest(source: Source, what: string, region: Region, difference: string): Failure {
  const { text } = source;
  const first = lineAt(text, region.from);
  const start = region.from === 0 ? 0 : text.lastIndexOf("\n", region.from - 1) + 1;
  const end = text.indexOf("\n", Math.max(region.from, region.to - 1));
  const lines = text.slice(start, end === -1 ? text.length : end).split("\n");
  const shown = lines.slice(0, maxLinesShown).map((line, index) => `${first + index}\t${cut(line)}`);
  if (lines.length > shown.length) shown.push(`(${lines.length - shown.length} lines more)`);
  const range = lines.length === 1 ? `line ${first}` : `lines ${first}-${first + lines.length - 1}`;
  return miss(
    `In ${showPath(source.path)}: ${what} is not there. Nearest is ${range}:\n${shown.join("\n")}\nDifference: ${difference}.`,
    "Repeat the text exactly as the file has it.",
  );
}

function cut(line: string): string {
  return line.length > maxLineShown ? `${line.slice(0, maxLineShown)}…` : line;
}

/** Where the text is but for blanks, line breaks, quotes, dashes and case. */
function likeRegion(text: string, old: string): Region | undefined {
  const folded = fold(old);
  if (folded === "") return undefined;
  const at = firstOccurrence(fold(text), folded);
  if (at === -1) return undefined;
  return { from: placeOfKept(text, at), to: placeOfKept(text, at + folded.length - 1) + 1 };
}
