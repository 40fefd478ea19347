/** Which lines of a text became which of another: what a change was, found without the code that is measured. */

/** Lines `from` up to `to` (not included, from 0) of the old text became `lines`. */
export type LineChange = { from: number; to: number; lines: string[] };

/** Patience diff: lines that stand once in both texts hold the alignment, and between them the same again. */
export function changesOf(old: readonly string[], lines: readonly string[], from = 0): LineChange[] {
  const shorter = Math.min(old.length, lines.length);
  let head = 0;
  while (head < shorter && old[head] === lines[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === lines.at(-1 - tail)) tail += 1;
  const left = old.slice(head, old.length - tail);
  const right = lines.slice(head, lines.length - tail);
  if (left.length === 0 && right.length === 0) return [];
  const start = from + head;
  const shared = left.length === 0 || right.length === 0 ? [] : sharedOnce(left, right);
  if (shared.length === 0) return [{ from: start, to: start + left.length, lines: right }];
  const bounds = [[-1, -1] as const, ...shared, [left.length, right.length] as const];
  return bounds.slice(1).flatMap(([a, b], index) => {
    const [lastA, lastB] = bounds[index] ?? [-1, -1];
    return changesOf(left.slice(lastA + 1, a), right.slice(lastB + 1, b), start + lastA + 1);
  });
}

/** Pairs of places of lines that stand once on both sides, as many as stand in the same order. */
function sharedOnce(left: readonly string[], right: readonly string[]): (readonly [number, number])[] {
  const places = new Map([...once(right)].map((index) => [right[index], index]));
  const pairs = [...once(left)].flatMap((index) => {
    const place = places.get(left[index] ?? "");
    return place === undefined ? [] : [[index, place] as const];
  });
  return longestAscending(pairs);
}

function once(lines: readonly string[]): Set<number> {
  const groups = Map.groupBy(lines.keys(), (index) => lines[index] ?? "");
  return new Set([...groups.values()].flatMap((places) => (places.length === 1 ? places : [])));
}

/** By the second of each pair; the first ascend already. */
function longestAscending(pairs: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const ends: number[] = [];
  const before = pairs.map(() => -1);
  for (const [index, [, place]] of pairs.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    before[index] = low === 0 ? -1 : (ends[low - 1] ?? -1);
    ends[low] = index;
  }
  const chain: (readonly [number, number])[] = [];
  for (let index = ends.at(-1) ?? -1; index !== -1; index = before[index] ?? -1) chain.push(pairs[index] ?? [0, 0]);
  return chain.toReversed();
}
