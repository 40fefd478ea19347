/** Output for a person who watches: a piece now and then, however fast it comes. */

import { wellFormedSlice } from "../../slice.ts";

/** Milliseconds between two pieces, and characters of one at most. */
const interval = 100;
const maxPiece = 4_000;

export interface Live {
  add(text: string): void;
  /** Hands out what waits. Must be called, or a timer outlives the output. */
  end(): void;
}

/** `onPiece` gets what came since the last piece; of too much only the end, behind a line that says so. */
export function createLive(onPiece: (text: string) => void): Live {
  let waiting = "";
  let left = 0;
  let timer: NodeJS.Timeout | undefined;

  function hand(): void {
    if (waiting !== "") onPiece(left === 0 ? waiting : `… (${left} characters left out)\n${waiting}`);
    waiting = "";
    left = 0;
  }

  function tick(): void {
    timer = waiting === "" ? undefined : setTimeout(tick, interval);
    hand();
  }

  return {
    add(text) {
      const all = waiting + text;
      waiting = wellFormedSlice(all, Math.max(all.length - maxPiece, 0), all.length);
      left += all.length - waiting.length;
      timer ??= setTimeout(tick, 0);
    },
    end() {
      clearTimeout(timer);
      timer = undefined;
      hand();
    },
  };
}
