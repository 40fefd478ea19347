/**
 * How text that somebody else wrote is put before a model that follows it: with nothing in it that a person would not
 * see.
 */

import { unseenCharacters } from "./unseen.ts";

/** Line breaks and tabs can be seen; U+FE0F stands behind many emoji, and alone it says nothing. */
const unseen = (): RegExp => new RegExp(String.raw`[[${unseenCharacters}]--[\ufe0f\n\t]]`, "gv");

/** How many characters of a text cannot be seen. */
export function countUnseen(text: string): number {
  return /^[\x20-\x7e\n\t]*$/.test(text) ? 0 : (text.match(unseen())?.length ?? 0);
}

/** The text with `\u{200b}` in place of each character that cannot be seen. */
export function showText(text: string): string {
  if (/^[\x20-\x7e\n\t]*$/.test(text)) return text;
  return text.replace(unseen(), (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ""}}`);
}
