/** Text without what models get wrong about it: blanks, line breaks, the kind of quotes and dashes, case. */

/** A stretch of a text, in UTF-16 code units. */
export type Region = { from: number; to: number };

/** Blanks and line breaks, and characters that nobody sees. */
export const dropped: RegExp = /[\s\u00ad\u200b-\u200d\u2060]/;
export const quotes: RegExp = /["'`\u00b4\u2018-\u201f\u2032\u2033\u00ab\u00bb]/;
export const dashes: RegExp = /[-\u2010-\u2015\u2212]/;

const all = { dropped: new RegExp(dropped, "g"), quotes: new RegExp(quotes, "g"), dashes: new RegExp(dashes, "g") };

/** Equal for texts that differ in nothing but these. As long as the text without the dropped characters. */
export function fold(text: string): string {
  return text
    .replace(all.dropped, "")
    .replace(all.quotes, '"')
    .replace(all.dashes, "-")
    .replaceAll("\u0130", "i")
    .toLowerCase();
}

/** Where the character stands that is the `nth` (from 0) of those that `fold` keeps. */
export function placeOfKept(text: string, nth: number): number {
  let kept = 0;
  for (let at = 0; at < text.length; at++) {
    if (dropped.test(text.charAt(at))) continue;
    if (kept === nth) return at;
    kept += 1;
  }
  return text.length;
}
