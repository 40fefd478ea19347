/** Where a sequence stands in another, in time that grows with their lengths whatever repeats in them. */

/**
 * Places of `needle` in `haystack`, ascending, overlapping ones too unless `apart`. Knuth, Morris and Pratt: the search
 * built into strings takes quadratic time where a text repeats itself. An empty needle is nowhere.
 */
export function* occurrences(
  haystack: ArrayLike<number>,
  needle: ArrayLike<number>,
  apart: "apart" | "overlapping",
): Generator<number> {
  if (needle.length === 0) return;
  const borders = bordersOf(needle);
  let matched = 0;
  for (let at = 0; at < haystack.length; at++) {
    while (matched > 0 && haystack[at] !== needle[matched]) matched = borders[matched - 1] ?? 0;
    if (haystack[at] === needle[matched]) matched += 1;
    if (matched < needle.length) continue;
    yield at + 1 - needle.length;
    matched = apart === "apart" ? 0 : (borders[matched - 1] ?? 0);
  }
}

/** Where a text first stands in another; -1: nowhere. As `indexOf`, in linear time. */
export function firstOccurrence(text: string, part: string): number {
  const [first = -1] = occurrences(unitsOf(text), unitsOf(part), "overlapping").take(1);
  return first;
}

/** The UTF-16 code units of a text, to be searched. */
export function unitsOf(text: string): Uint16Array {
  const buffer = Buffer.from(text, "utf16le");
  const units = new Uint16Array(text.length);
  new Uint8Array(units.buffer).set(buffer);
  return units;
}

/** For each beginning of the needle: how long the longest part is that both begins and ends it. */
function bordersOf(needle: ArrayLike<number>): Int32Array {
  const borders = new Int32Array(needle.length);
  let length = 0;
  for (let at = 1; at < needle.length; at++) {
    while (length > 0 && needle[at] !== needle[length]) length = borders[length - 1] ?? 0;
    if (needle[at] === needle[length]) length += 1;
    borders[at] = length;
  }
  return borders;
}
