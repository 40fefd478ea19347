import type { CappedList } from "./totals.ts";

/** Entries of one list that are kept. */
const most = 500;

export type GrowingList<Entry> = { add(entry: Entry): void; readonly list: CappedList<Entry> };

/** Keeps the first ones and counts all. */
export function createCappedList<Entry>(): GrowingList<Entry> {
  const first: Entry[] = [];
  let count = 0;
  return {
    add(entry) {
      count += 1;
      if (first.length < most) first.push(entry);
    },
    get list() {
      return { count, first };
    },
  };
}
