/** How the line breaks of new text are written in a file whose lines do not all end alike. */

import type { Ending } from "./source.ts";

/** What stands around the replaced text: the breaks just before and behind it, and how most lines of the file end. */
export type Surroundings = { before?: Ending | undefined; after?: Ending | undefined; majority: Ending };

/** More lines than this (old times new) are not compared with each other. */
const maxCells = 1_000_000;

/**
 * One ending for each `\n` of `text`. Lines that stand in `old` too keep theirs, a line in the place of another takes
 * its ending, and what is left takes that of its neighbours, or of most lines where these differ.
 *
 * @param endings One for each `\n` of `old`.
 */
export function chooseEndings(
  old: string,
  endings: readonly Ending[],
  text: string,
  surroundings: Surroundings,
): Ending[] {
  const chosen = inherited(old.split("\n").slice(0, -1), text.split("\n").slice(0, -1), endings);
  let { before, after } = surroundings;
  const following = chosen.toReversed().map((ending) => (after = ending ?? after));
  return chosen.map((ending, index) => {
    before = ending ?? neighbours(before, following.at(-1 - index)) ?? surroundings.majority;
    return before;
  });
}

function neighbours(before: Ending | undefined, after: Ending | undefined): Ending | undefined {
  if (before !== undefined && after !== undefined && before !== after) return undefined;
  return before ?? after;
}

function inherited(old: string[], lines: string[], endings: readonly Ending[]): (Ending | undefined)[] {
  const chosen: (Ending | undefined)[] = lines.map(() => undefined);
  let oldFrom = 0;
  let from = 0;
  for (const [oldAt, at] of [...sharedLines(old, lines), [old.length, lines.length] as const]) {
    const paired = Math.min(oldAt - oldFrom, at - from);
    for (let step = 0; step < paired; step++) chosen[from + step] = endings[oldFrom + step];
    if (at < lines.length) chosen[at] = endings[oldAt];
    oldFrom = oldAt + 1;
    from = at + 1;
  }
  return chosen;
}

/** Pairs of equal lines, both ascending: those at both ends, and a longest common subsequence between. */
function sharedLines(old: readonly string[], lines: readonly string[]): (readonly [number, number])[] {
  const shorter = Math.min(old.length, lines.length);
  let head = 0;
  while (head < shorter && old[head] === lines[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === lines.at(-1 - tail)) tail += 1;
  const middle = longestCommon(old.slice(head, old.length - tail), lines.slice(head, lines.length - tail));
  return [
    ...Array.from({ length: head }, (_, index) => [index, index] as const),
    ...middle.map(([a, b]) => [head + a, head + b] as const),
    ...Array.from({ length: tail }, (_, i) => [old.length - tail + i, lines.length - tail + i] as const),
  ];
}

function longestCommon(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  if (a.length * b.length > maxCells) return [];
  const width = b.length + 1;
  const lengths = new Int32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}
