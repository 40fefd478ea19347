/** Which rows are shown: those of a kind, in a stretch of time, with the words that are looked for. */

import { everything, type Filter } from "./bar.ts";
import type { Bodies, Entry } from "./data.ts";
import { search } from "./search.ts";
import type { Range } from "./time-scale.ts";

/** `range` undefined: all of the time. `words` empty: none are looked for. */
export type Criteria = { filter: Filter; range: Range | undefined; words: string };

export type Selection = {
  /** Changes these criteria, the others stay; what is found comes bit by bit. */
  choose(changed: Partial<Criteria>): Promise<void>;
};

/** `show` is given the rows found so far, and which share of all was looked at; nothing of a search that is outdated. */
export function createSelection(
  entries: readonly Entry[],
  bodies: Bodies,
  show: (rows: readonly Entry[], share: number) => void,
): Selection {
  let criteria: Criteria = { filter: everything, range: undefined, words: "" };
  let searching = new AbortController();
  return {
    async choose(changed) {
      criteria = { ...criteria, ...changed };
      const { filter, range, words } = criteria;
      searching.abort();
      searching = new AbortController();
      const { signal } = searching;
      const passing = entries.filter((entry) => filter.shows(entry) && isWithin(entry, range));
      if (words === "") return show(passing, 1);
      for await (const { entries: found, share } of search(words, passing, bodies, signal)) {
        if (signal.aborted) return;
        show(found, share);
      }
    },
  };
}

function isWithin({ at, spans = [] }: Entry, range: Range | undefined): boolean {
  if (range === undefined) return true;
  const end = Math.max(at, ...spans.map((span) => span.at + span.ms));
  const start = Math.min(at, ...spans.map((span) => span.at));
  return start <= range.to && end >= range.from;
}
