/** When a frame is drawn: soon after something changed, and never more often than anybody could see. At rest, no timer. */

export type Pace = {
  /** Draws once for all that happens in a moment. */
  soon: () => void;
  /** Draws at this time, or before it. */
  by: (time: number) => void;
  /** Draws now. */
  now: () => void;
  stop: () => void;
};

/** Milliseconds between two frames at least. */
const least = 33;

/** `draw` is given the time: milliseconds. */
export function openPace(draw: (now: number) => void): Pace {
  let timer: NodeJS.Timeout | undefined;
  let due = Infinity;
  let last = 0;
  let stopped = false;

  function now(): void {
    clearTimeout(timer);
    due = Infinity;
    if (stopped) return;
    last = performance.now();
    draw(last);
  }

  function by(time: number): void {
    if (stopped || time >= due) return;
    clearTimeout(timer);
    due = time;
    timer = setTimeout(now, Math.max(0, time - performance.now()));
  }

  return {
    soon: () => by(last + least),
    by,
    now,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
