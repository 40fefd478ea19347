/** Which moment stands where on the timeline: milliseconds of the run, pixels of the drawing. */

export type Range = { from: number; to: number };

export type TimeScale = {
  readonly range: Range;
  /** Of the whole drawing. */
  readonly width: number;
  /** Milliseconds. */
  readonly perPixel: number;
  /** Pixels from the left. */
  readonly x: (at: number) => number;
  /** Of what lies beside the range its nearest end. */
  readonly timeAt: (x: number) => number;
};

/** Where time begins: the names of the lanes stand before it. */
export const left = 140;
const right = 12;

export function createTimeScale(range: Range, width: number): TimeScale {
  const perPixel = (range.to - range.from) / (width - left - right);
  return {
    range,
    width,
    perPixel,
    x: (at) => left + (at - range.from) / perPixel,
    timeAt: (x) => Math.min(range.to, Math.max(range.from, range.from + (x - left) * perPixel)),
  };
}
