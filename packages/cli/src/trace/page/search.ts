/** Looks for words in all that the rows hold, block by block, so that the page stays quick to answer. */

import type { Part } from "../row.ts";
import type { Bodies, Entry } from "./data.ts";

export type Found = { entries: readonly Entry[]; share: number };

/** Gives what is found so far after every few blocks, everything at the end; ends early when aborted. */
export async function* search(
  words: string,
  entries: readonly Entry[],
  bodies: Bodies,
  signal: AbortSignal,
): AsyncGenerator<Found> {
  const wanted = words.toLowerCase();
  const found: Entry[] = [];
  const byBlock = Map.groupBy(entries, ({ block }) => block);
  let told = performance.now();
  let done = 0;
  for (const [block, rows] of byBlock) {
    const parts = await bodies.of(block);
    if (signal.aborted) return;
    for (const entry of rows) if (holds(entry, parts[entry.place] ?? [], wanted)) found.push(entry);
    done += 1;
    if (performance.now() - told < 250) continue;
    yield { entries: [...found], share: done / byBlock.size };
    told = performance.now();
    await new Promise((resolve) => setTimeout(resolve));
  }
  yield { entries: found, share: 1 };
}

function holds({ title, note = "" }: Entry, parts: readonly Part[], wanted: string): boolean {
  const has = (text: string): boolean => text.toLowerCase().includes(wanted);
  return has(title) || has(note) || parts.some((part) => textsOf(part).some(has));
}

function textsOf(part: Part): readonly string[] {
  switch (part.as) {
    case "markdown":
      return [part.text];
    case "text":
    case "diff":
      return [part.label, part.text];
    case "facts":
      return part.facts.flat();
    case "verdicts":
      return part.verdicts.flatMap(({ what, says }) => [what, says]);
    case "image":
  }
  return [];
}
