/** Numbers where there is little room. */

/** `0:07.3`, `12:07`, `2:12:07`; `exact: false` leaves the tenths out. */
export function clock(ms: number, { exact = true }: { exact?: boolean } = {}): string {
  const seconds = ms / 1000;
  const minutes = Math.floor(seconds / 60);
  const two = (number: number): string => String(Math.floor(number)).padStart(2, "0");
  if (minutes >= 60) return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
  return minutes >= 10 || !exact
    ? `${minutes}:${two(seconds % 60)}`
    : `${minutes}:${(seconds % 60).toFixed(1).padStart(4, "0")}`;
}

/** `950`, `12k`, `3.4M`. */
export function short(number: number): string {
  if (number < 1000) return trimmed(number);
  if (number < 1_000_000) return `${trimmed(number / 1000)}k`;
  return `${trimmed(number / 1_000_000)}M`;
}

function trimmed(number: number): string {
  return number.toFixed(number < 10 ? 1 : 0).replace(/\.0$/, "");
}

/** A round number at or above it, for the top of an axis. */
export function roundUp(number: number): number {
  if (number <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(number));
  return ([1, 2, 2.5, 5, 10].find((step) => step * power >= number * 0.999) ?? 10) * power;
}
