/** A secret in a text: `from` up to, but not including, `to`. `name` says what it is; no line break is part of it. */
export type Found = {
  from: number;
  to: number;
  name: string;
  /** A further part of the same secret. */
  goesOn?: true | undefined;
};

/**
 * In order and without overlap: of those that overlap the one that begins first is kept, then the longer, then the one
 * named first; of the other what stands out.
 */
export function apart(found: readonly Found[]): Found[] {
  const kept: Found[] = [];
  for (const one of found.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    const end = kept.at(-1)?.to ?? 0;
    if (one.from >= end) kept.push(one);
    else if (one.to > end) kept.push({ ...one, from: end, goesOn: true });
  }
  return kept;
}
