/** How a path is written in a line of text that a model, a person or a program reads back. */

import { isFromHarness } from "../../message.ts";
import { truncate } from "../../slice.ts";
import { unseenCharacters } from "./unseen.ts";

const printableAscii = /^[\x20-\x7e]*$/;
/** Blanks that are taken for a space. */
const blanks = String.raw`\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000`;
/** Not made before it is needed: see there. */
const unseen = (): RegExp => new RegExp(`[${unseenCharacters}${blanks}]`, "gu");
const beyondAscii = /[^\x20-\x7e]/gu;
/** What would be read as the end of the path in `path:12: text` and `path-12- text`. */
const looksLikeLine = /[:-]\d+[:-]/;
/** What a listing says of itself, `(empty)`, and the marks it puts behind links and what is no file. */
const looksLikeRemark = /^\(.*\)$|[@|]$/;

/**
 * The path itself, or a JSON string where the path holds quotes, begins or ends with a space, cannot be seen as it is,
 * or could be taken for more than a path. Decoded, that JSON string is the path a tool takes.
 */
export function showPath(path: string): string {
  const plain = isSeen(path) && !/["']|^\s|\s$/u.test(path);
  const isOnlyPath = !looksLikeLine.test(path) && !looksLikeRemark.test(path) && !isFromHarness(path);
  if (plain && isOnlyPath) return path;
  return JSON.stringify(path).replace(isComposed(path) ? unseen() : beyondAscii, escapeUnits);
}

function isSeen(path: string): boolean {
  return printableAscii.test(path) || (isComposed(path) && path.search(unseen()) === -1);
}

/** A name whose accents are apart from their letters looks like another one in which they are not. */
function isComposed(path: string): boolean {
  return path === path.normalize("NFC");
}

/** A path for a message, always in quotes, not longer than a line or two. */
export function quoted(path: string): string {
  const shown = showPath(truncate(path, 200));
  return shown.startsWith('"') ? shown : `"${shown}"`;
}

function escapeUnits(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
