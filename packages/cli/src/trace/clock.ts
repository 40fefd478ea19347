/** One time for a whole trace: its milliseconds begin again whenever a session is gone on with. */

export type Clock = (ms: number) => number;

/** Milliseconds of work since the trace began; the time between two sittings is not known, and counts as none. */
export function createClock(): Clock {
  let first: number | undefined;
  let earlier = 0;
  let last = 0;
  return (ms) => {
    const now = Number.isFinite(ms) ? Math.max(0, ms) : last;
    first ??= now;
    if (now < last) earlier += last - now;
    last = now;
    return Math.max(0, earlier + now - first);
  };
}
