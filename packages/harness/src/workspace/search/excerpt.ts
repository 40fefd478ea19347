/** Lines out of a file that is too large to hold: read around the place where ripgrep says that a line begins. */

import type { Fence, Pinned } from "../fence.ts";
import type { Proposal } from "../search.ts";
import type { Ranges } from "../text/as-utf8.ts";
import { largeLines } from "../text/large.ts";
import { decodeUnmarked } from "../text/text.ts";
import { endOfWhole, startOfWhole } from "../text/utf8.ts";

/** Bytes that are read to either side for each line that is wanted there; longer lines are cut. */
const perLine = 4_096;
const newline = 10;

/** `before` and `after`: the lines around `line`, in order. `column`: where in `line` the match begins. */
export type Excerpt = { before: string[]; line: string; after: string[]; column: number };

/**
 * The proposed line and up to `context` lines to either side; where a line is cut, `…` stands for the rest. `offset` is
 * one of `ranges`. Undefined if no line begins there any more; which number the line has is ripgrep's word.
 */
export async function excerptOf(
  ranges: Ranges,
  { offset, column }: { offset: number; column: number },
  context: number,
  signal: AbortSignal,
): Promise<Excerpt | undefined> {
  const reach = perLine * (context + 1);
  const match = offset + column;
  const far = column > perLine / 2;
  const start = far ? match - perLine / 4 : offset;
  const above = await ranges(Math.max(0, offset - reach), offset, signal);
  // One byte more tells whether there is more.
  const read = await ranges(start, start + reach + 1, signal);
  const below = read.subarray(0, reach);
  if (offset > 0 && above.at(-1) !== newline) return undefined;
  const cut = { start: above.length < offset, end: read.length > reach };
  const before = wholeWords(linesIn(above, { start: cut.start, end: false }), { start: cut.start, end: false });
  const [line, ...behind] = linesIn(below, { start: far, end: cut.end });
  if (line === undefined) return undefined;
  const after = wholeWords(behind, { start: false, end: cut.end });
  const lead = textIn(below.subarray(0, match - start), { start: far, end: false });
  return {
    before: before.slice(-context, context === 0 ? 0 : undefined),
    line,
    after: after.slice(0, context),
    column: lead.length,
  };
}

/**
 * As `excerptOf`, where nobody knows the offset: counts the lines up to the proposed one, and on to the end of the
 * file.
 */
export async function countedExcerpt(
  fence: Fence,
  file: Pinned,
  { line, column }: Pick<Proposal, "line" | "column">,
  context: number,
  signal: AbortSignal,
): Promise<Excerpt | undefined> {
  const from = Math.max(1, line - context);
  const range = { from, to: line + context, maxBytes: Math.max(perLine, column + perLine) };
  const { lines } = await largeLines(fence, file, range, signal);
  const found = lines[line - from];
  if (found === undefined) return undefined;
  return {
    before: lines.slice(0, line - from),
    line: found,
    after: lines.slice(line - from + 1),
    column: Buffer.from(found).toString("utf8", 0, column).length,
  };
}

/** The same with other text, as many lines. */
export function shownExcerpt({ before, line, after, column }: Excerpt, shown: (text: string) => string): Excerpt {
  const lines = shown([...before, line, ...after].join("\n")).split("\n");
  const instead = lines[before.length] ?? "";
  return {
    before: lines.slice(0, before.length),
    line: instead,
    after: lines.slice(before.length + 1),
    column: sameColumn(line, instead, column),
  };
}

/** Where a place of a line is in another that differs from it in between; within that, where this begins. */
export function sameColumn(line: string, other: string, column: number): number {
  const shorter = Math.min(line.length, other.length);
  let head = 0;
  while (head < shorter && line[head] === other[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && line.at(-1 - tail) === other.at(-1 - tail)) tail += 1;
  if (column <= head) return column;
  return column >= line.length - tail ? other.length - (line.length - column) : head;
}

/** Whether bytes begin or end within a line. */
type Cut = { start: boolean; end: boolean };

function linesIn(bytes: Buffer, cut: Cut): string[] {
  const lines: string[] = [];
  for (let from = 0; from < bytes.length;) {
    const found = bytes.indexOf(newline, from);
    const end = found === -1 ? bytes.length : found;
    lines.push(textIn(bytes.subarray(from, end), { start: cut.start && from === 0, end: cut.end && found === -1 }));
    from = end + 1;
  }
  return lines;
}

/**
 * Lines beside a match without the words that are cut: shown up to the very place of the cut, one could be what is left of
 * a secret, too little to be known as one. Of the line of the match, the places where it is cut are far from what is shown.
 */
function wholeWords(lines: readonly string[], cut: Cut): string[] {
  return lines.map((line, index) => {
    const text = cut.start && index === 0 ? line.replace(/^…\S*/, "…") : line;
    return cut.end && index === lines.length - 1 ? text.replace(/\S*…$/, "…") : text;
  });
}

function textIn(bytes: Buffer, cut: Cut): string {
  const whole = bytes.subarray(cut.start ? startOfWhole(bytes) : 0, cut.end ? endOfWhole(bytes) : bytes.length);
  return (cut.start ? "…" : "") + decodeUnmarked(whole).text.replace(/\r$/, "") + (cut.end ? "…" : "");
}
