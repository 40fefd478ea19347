/** Entries of before: stepped through, or searched for. */

/** `back`: how many entries ago; 0 is what was being written, kept in `draft`. */
export type Recall = { readonly back: number; readonly draft: string };

/** One step further back, or forward again; undefined where there is no entry that way. */
export function recalled(
  entries: readonly string[],
  { back, draft }: Recall,
  step: -1 | 1,
): { recall: Recall; text: string } | undefined {
  const next = back - step;
  if (next === 0) return { recall: { back: 0, draft }, text: draft };
  const text = entries[entries.length - next];
  return next < 0 || text === undefined ? undefined : { recall: { back: next, draft }, text };
}

/** The newest entry before the place `below` that holds the words, whatever their case. */
export function found(entries: readonly string[], words: string, below: number): number | undefined {
  const sought = words.toLowerCase();
  for (let index = Math.min(below, entries.length) - 1; index >= 0; index -= 1) {
    if (entries[index]?.toLowerCase().includes(sought) === true) return index;
  }
  return undefined;
}
