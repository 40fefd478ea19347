/** What a change does to a file, as a unified diff for people and models, and as the lines that moved. */

import type { LineHunk } from "../change.ts";
import { noticesOf } from "./diff-notices.ts";
import { showPath } from "./show-path.ts";
import { decode } from "./text.ts";
import { unified } from "./unified.ts";

export type FileDiff = { readonly diff: string; readonly hunks: readonly LineHunk[] };

/**
 * How many differing lines are told apart before a block is shown as replaced. The work grows with its square; a limit
 * in time would show the same change differently on another day.
 */
const maxEditLength = 2_000;

/**
 * Made from the bytes; `null`: no file. Lines are compared without their ends and the BOM: what a change does to these, or
 * to the encoding, stands in front of the header, where patch programs pass over it. Of binary files it says the sizes.
 */
export async function diffOf(path: string, before: Uint8Array | null, after: Uint8Array | null): Promise<FileDiff> {
  const old = before === null ? null : decode(before);
  const young = after === null ? null : decode(after);
  if (old === undefined || young === undefined) return { diff: binaryDiff(path, before, after), hunks: [] };
  const [oldLines, newLines] = [linesIn(old?.text ?? ""), linesIn(young?.text ?? "")];
  const hunks = await hunksBetween(oldLines, newLines);
  const header = [
    `--- ${before === null ? "/dev/null" : showPath(`a/${path}`)}\n`,
    `+++ ${after === null ? "/dev/null" : showPath(`b/${path}`)}\n`,
  ];
  const notices = noticesOf(old, young, hunks).map((notice) => `(${notice})\n`);
  return { diff: [...notices, ...header, ...unified(oldLines, newLines, hunks)].join(""), hunks };
}

/** Lines with a final \n, except perhaps the last. */
function linesIn(text: string): string[] {
  return text.replaceAll("\r\n", "\n").match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** What is alike at both ends needs no search, so that a small change of a large file stays cheap. */
async function hunksBetween(old: readonly string[], young: readonly string[]): Promise<LineHunk[]> {
  const shorter = Math.min(old.length, young.length);
  let head = 0;
  while (head < shorter && old[head] === young[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === young.at(-1 - tail)) tail += 1;
  const oldMiddle = old.slice(head, old.length - tail);
  const newMiddle = young.slice(head, young.length - tail);
  if (oldMiddle.length === 0 && newMiddle.length === 0) return [];
  const whole = { from: head + 1, removed: oldMiddle.length, to: head + 1, added: newMiddle.length };
  if (oldMiddle.length === 0 || newMiddle.length === 0) return [whole];
  const { diffArrays } = await import("diff");
  const parts = diffArrays(oldMiddle, newMiddle, { maxEditLength });
  return parts === undefined ? [whole] : hunksOf(parts, head + 1);
}

type Part = { readonly count: number; readonly added: boolean; readonly removed: boolean };

function hunksOf(parts: readonly Part[], first: number): LineHunk[] {
  const hunks: LineHunk[] = [];
  let [from, to] = [first, first];
  let open: LineHunk | undefined;
  for (const { count, added, removed } of parts) {
    if (added || removed) {
      if (open === undefined) hunks.push((open = { from, removed: 0, to, added: 0 }));
      if (removed) open.removed += count;
      else open.added += count;
    } else open = undefined;
    if (!added) from += count;
    if (!removed) to += count;
  }
  return hunks;
}

function binaryDiff(path: string, before: Uint8Array | null, after: Uint8Array | null): string {
  const size = (bytes: Uint8Array | null): string => (bytes === null ? "none" : `${bytes.length} bytes`);
  return `Binary file ${showPath(path)}: ${size(before)} -> ${size(after)}\n`;
}
