/** From row to row of those that are shown. */

import type { Entry } from "./data.ts";
import type { List } from "./list.ts";

export type Navigation = {
  /** In place of the rows that were shown. */
  show(rows: readonly Entry[]): void;
  /** So many rows on, or back. */
  step(by: number): void;
  first(): void;
  last(): void;
  /** The last row that began by then. */
  at(time: number): void;
  /** The next row that something is amiss with; the first one again after the last. */
  trouble(): void;
};

export function createNavigation(list: List): Navigation {
  let shown: readonly Entry[] = [];

  function go(to: number): void {
    if (shown.length > 0) void list.reveal(Math.min(shown.length - 1, Math.max(0, to)));
  }

  return {
    show(rows) {
      shown = rows;
      list.show(rows);
    },
    step: (by) => go(list.current() + by),
    first: () => go(0),
    last: () => go(shown.length - 1),
    at: (time) => go(shown.findLastIndex((entry) => entry.at <= time)),
    trouble() {
      const here = list.current();
      const isTrouble = ({ tone }: Entry): boolean => tone === "bad";
      const after = shown.findIndex((entry, index) => index > here && isTrouble(entry));
      go(after === -1 ? shown.findIndex(isTrouble) : after);
    },
  };
}
