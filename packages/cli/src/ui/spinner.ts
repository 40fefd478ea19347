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
/** Milliseconds between two frames. */
const interval = 120;
/** Characters of a label: a line that wraps could not be taken away. */
const labelMost = 50;

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
      let frame = 0;
      timer = setInterval(() => {
        const seconds = Math.floor((performance.now() - begun) / 1000);
        clear();
        err.write(`${frames[frame % frames.length] ?? ""} ${short} ${seconds} s`);
        drawn = true;
        frame += 1;
      }, interval);
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
