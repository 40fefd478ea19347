import type { Some } from "./totals.ts";

/** Entries of one list that are kept. */
const most = 500;

export type GrowingSome<Entry> = { add(entry: Entry): void; readonly some: Some<Entry> };

/** Keeps the first ones and counts all. */
export function createSome<Entry>(): GrowingSome<Entry> {
  const first: Entry[] = [];
  let count = 0;
  return {
    add(entry) {
      count += 1;
      if (first.length < most) first.push(entry);
    },
    get some() {
      return { count, first };
    },
  };
}
