/** A line at the bottom of a terminal that shows what runs and for how long. */

import type { Output } from "./output.ts";

export type Spinner = {
  /** Draws it, again and again, until `stop`. The label must be safe to show. */
  start(label: string): void;
  /** Takes it off the screen for what is about to be written; it comes back by itself. */
  clear(): void;
  stop(): void;
};

const frames = Array.from("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏");
/** Milliseconds of one frame. */
export const frameMs = 120;
/** Characters of a label: a line that wraps could not be taken away. */
const labelMost = 50;

/** What turns, after so many milliseconds. */
export function frameAt(ms: number): string {
  return frames[Math.floor(ms / frameMs) % frames.length] ?? "";
}

export function openSpinner(err: Output): Spinner {
  let timer: NodeJS.Timeout | undefined;
  let drawn = false;

  function clear(): void {
    if (drawn) err.write("\r\u001b[2K");
    drawn = false;
  }

  return {
    start(label) {
      clearInterval(timer);
      const short = label.length > labelMost ? `${label.slice(0, labelMost - 1)}…` : label;
      const begun = performance.now();
      timer = setInterval(() => {
        const ms = performance.now() - begun;
        clear();
        err.write(`${frameAt(ms)} ${short} ${Math.floor(ms / 1000)} s`);
        drawn = true;
      }, frameMs);
      timer.unref();
    },
    clear,
    stop() {
      clearInterval(timer);
      timer = undefined;
      clear();
    },
  };
}
