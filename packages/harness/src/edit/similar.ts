/** The place in a text that is most like another text, where none is the same but for blanks and the like. */

import { fold, type Region } from "./fold.ts";

/** No more lines are compared. */
const maxLines = 200_000;
const maxWanted = 1_000;
/** Of one and the same line in the other text, no more places are tried. */
const maxPlaces = 8;
/** A longer line says no more about the place than one of this length. */
const maxWeight = 80;
/** Of the words of a line, so many must be in the other for the two to be called similar. */
const minShared = 0.5;

/**
 * As many lines as `old` has, from where most of them stand in their places; if none does, from where its longest line
 * shares most words. Undefined: nothing is similar. Its cost is bounded, and linear in the lines of the text.
 */
export function similarRegion(text: string, old: string): Region | undefined {
  const lines = text.split("\n", maxLines);
  const wanted = old.replace(/\n$/, "").split("\n", maxWanted);
  const first = byEqualLines(lines, wanted) ?? byWords(lines, wanted);
  if (first === undefined) return undefined;
  const from = Math.max(0, first);
  const before = lines.slice(0, from).join("\n").length;
  const start = from === 0 ? 0 : before + 1;
  return { from: start, to: start + lines.slice(from, first + wanted.length).join("\n").length };
}

function byEqualLines(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  for (const [index, line] of wanted.entries()) {
    const key = fold(line);
    const known = places.get(key) ?? [];
    if (key !== "" && known.length < maxPlaces) places.set(key, [...known, index]);
  }
  // The weight of the lines in their places, if the text began so many lines before `wanted.length - 1`.
  const weights = new Float64Array(lines.length + wanted.length);
  for (const [index, line] of lines.entries()) {
    const key = fold(line);
    for (const place of places.get(key) ?? []) {
      const start = index - place + wanted.length - 1;
      weights[start] = (weights[start] ?? 0) + Math.min(key.length, maxWeight);
    }
  }
  const best = weights.reduce((best, weight, start) => (weight > (weights[best] ?? 0) ? start : best), 0);
  return (weights[best] ?? 0) === 0 ? undefined : best - (wanted.length - 1);
}

function byWords(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const longest = wanted.reduce((best, line, index) => (line.length > (wanted[best] ?? "").length ? index : best), 0);
  const words = new Set(wordsOf(wanted[longest] ?? ""));
  let best = { share: minShared, index: -1 };
  for (const [index, line] of lines.entries()) {
    const found = new Set(wordsOf(line));
    const shared = [...found].filter((word) => words.has(word)).length;
    const share = shared / Math.max(words.size, found.size, 1);
    if (share > best.share) best = { share, index };
  }
  return best.index === -1 ? undefined : best.index - longest;
}

function wordsOf(line: string): string[] {
  return (
    line
      .slice(0, 1_000)
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu) ?? []
  );
}
