/** One exact replacement in a file. */

import { Failure } from "../error.ts";
import { showPath } from "../workspace/text/show-path.ts";
import { explainMiss } from "./miss.ts";
import { firstOccurrence, occurrences, unitsOf } from "./occurrences.ts";
import { isWithinCharacter, lineAt, type Source } from "./source.ts";
import { splice } from "./splice.ts";

/** `old` must stand in the file exactly once, or with `all` at least once. Both are literal text. */
export type Replace = { old: string; new: string; all?: boolean | undefined };
export type Edited = { bytes: Buffer; count: number };
/** What messages call the parts of a replacement; without `all` it is no part of what can be asked for. */
export type ReplaceNames = { old: string; new: string; all?: string | undefined };

const ofEditFile: ReplaceNames = { old: "old_string", new: "new_string", all: "replace_all" };

/** So many places are named where a text stands more than once. */
const maxNamed = 10;
/** With `all`, so many are replaced at most. */
const maxAll = 100_000;

/**
 * The bytes of the file with `old` replaced by `new`. `\r\n` in them means a line break, as `\n` does, and a lone `\r` is
 * a character. In an empty file (or one that is only a byte order mark) an empty `old` stands once; anywhere else it is
 * refused.
 *
 * Throws E_EMPTY_OLD, E_NO_CHANGE, E_NO_MATCH, E_AMBIGUOUS, E_ENCODING and E_TOO_LARGE; their words speak of the parts
 * under `names`, by default those of the tool edit_file.
 */
export function edit(source: Source, replace: Replace, names: ReplaceNames = ofEditFile): Edited {
  const where = showPath(source.path);
  const { old, text } = asInView(source, replace);
  if (old === "" && source.text !== "") {
    throw new Failure("E_EMPTY_OLD", `${names.old} is empty, and ${where} is not.`, {
      remedy: `Name the text to be replaced; to insert, name the line beside it and repeat it in ${names.new}.`,
    });
  }
  if (old === text) {
    throw new Failure("E_NO_CHANGE", `${names.old} and ${names.new} are the same: nothing to change in ${where}.`, {
      remedy: `Say in ${names.new} what shall stand there, or go on.`,
    });
  }
  const places = old === "" ? [0] : placesOf(source, old, replace.all === true);
  if (places.length === 0) throw explainMiss(source, old, names.old);
  if (places.length > 1 && replace.all !== true) throw ambiguous(source, places, names);
  if (places.length > maxAll) {
    throw new Failure("E_TOO_LARGE", `${names.old} stands more than ${maxAll} times in ${where}.`, {
      remedy: "Replace a longer text, which stands there less often.",
    });
  }
  const replacements = places.map((from) => ({ from, to: from + old.length, text, named: old }));
  return { bytes: splice(source, replacements), count: places.length };
}

/**
 * Line breaks as the view has them. A view can hold `\r` before a line break (`\r\r\n` in the file): there `\r\n` is
 * taken literally if it is found so.
 */
function asInView(source: Source, replace: Replace): { old: string; text: string } {
  const isLiteral = source.text.includes("\r\n") && replace.old.includes("\r\n");
  if (isLiteral && firstOccurrence(source.text, replace.old) !== -1) return { old: replace.old, text: replace.new };
  return { old: replace.old.replaceAll("\r\n", "\n"), text: replace.new.replaceAll("\r\n", "\n") };
}

/** No more than are of use, and one more. */
function placesOf(source: Source, old: string, all: boolean): number[] {
  const places: number[] = [];
  for (const at of occurrences(unitsOf(source.text), unitsOf(old), all ? "apart" : "overlapping")) {
    if (isWithinCharacter(source, at) || isWithinCharacter(source, at + old.length)) continue;
    places.push(at);
    if (places.length > (all ? maxAll : maxNamed)) break;
  }
  return places;
}

function ambiguous(source: Source, places: readonly number[], names: ReplaceNames): Failure {
  const named = new Set(places.slice(0, maxNamed).map((at) => lineAt(source.text, at)));
  const lines = `${named.size === 1 ? "line" : "lines"} ${[...named].join(", ")}`;
  const times = places.length > maxNamed ? `more than ${maxNamed} times` : `${places.length} times`;
  return new Failure(
    "E_AMBIGUOUS",
    `${names.old} stands ${times} in ${showPath(source.path)}: at ${lines}${places.length > maxNamed ? ", …" : ""}.`,
    {
      remedy: `Take in more lines around the one that is meant${names.all === undefined ? "" : `, or set ${names.all} to change every one`}.`,
    },
  );
}
