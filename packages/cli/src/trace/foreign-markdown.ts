/** Markdown of others put into a document: it keeps its form and ends where it ends. */

import { Marked } from "@earendil-works/pi-tui";

/** As it is where nothing in it could go on behind its end; else as a quotation. */
export function contained(text: string): string {
  return endsItself(text) ? text : quoted(text);
}

/** As a quotation: whatever begins in it ends with it. */
export function quoted(text: string): string {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

/** A block of code that is left open takes in the heading; an element of HTML would go on behind it. */
function endsItself(text: string): boolean {
  const heading = "# end";
  const tokens = new Marked().lexer(`${text}\n\n${heading}\n`);
  return tokens.at(-1)?.raw.trim() === heading && tokens.every(({ type }) => type !== "html");
}
