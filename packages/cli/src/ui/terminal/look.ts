/**
 * Text with its look, before it is escape sequences. `span` makes what is untrusted safe, and `painted` is the one place
 * that writes sequences: what draws in between can forget neither.
 */

import { visibleWidth } from "@earendil-works/pi-tui";
import { escapeLine } from "../escape.ts";

/** Only what the terminal's own palette decides: readable on a light and on a dark ground. */
export type Colour = "red" | "green" | "yellow" | "blue" | "magenta" | "cyan";
export type Look = {
  colour?: Colour | undefined;
  bold?: boolean | undefined;
  dim?: boolean | undefined;
  italic?: boolean | undefined;
  underline?: boolean | undefined;
  strike?: boolean | undefined;
  inverse?: boolean | undefined;
};
export type Span = { readonly text: string; readonly look: Look };
export type Row = readonly Span[];

const plainLook: Look = Object.freeze({});
const reset = "\u001b[0m";
const tabStop = 4;
const colours: Readonly<Record<Colour, number>> = { red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36 };

/** Escaped, tabs as spaces. A line feed in it is written out: a span stands on one line. */
export function span(text: string, look: Look = plainLook): Span {
  return { text: escapeLine(text.includes("\t") ? withoutTabs(text) : text), look };
}

/** The lines of a text as rows; a carriage return at the end of one belongs to its line feed. */
export function rowsOf(text: string, look: Look = plainLook): Row[] {
  return text.split(/\r?\n/).map((line) => [span(line, look)]);
}

export function widthOf(row: Row): number {
  return row.reduce((sum, { text }) => sum + visibleWidth(text), 0);
}

/** The row for a terminal. Escaped once more, which changes nothing in what `span` made. */
export function painted(row: Row, colour: boolean): string {
  let out = "";
  let before = "";
  for (const { text, look } of row) {
    if (text === "") continue;
    const codes = codesOf(look, colour);
    if (codes !== before) out += `${before === "" ? "" : reset}${codes === "" ? "" : `\u001b[${codes}m`}`;
    out += escapeLine(text);
    before = codes;
  }
  return before === "" ? out : out + reset;
}

function codesOf(look: Look, colour: boolean): string {
  const codes = [
    look.bold === true && 1,
    look.dim === true && 2,
    look.italic === true && 3,
    look.underline === true && 4,
    look.inverse === true && 7,
    look.strike === true && 9,
    colour && look.colour !== undefined && colours[look.colour],
  ];
  return codes.filter((code) => code !== false).join(";");
}

function withoutTabs(text: string): string {
  const [first = "", ...rest] = text.split("\t");
  return rest.reduce((line, part) => {
    const column = visibleWidth(escapeLine(line));
    return line + " ".repeat(tabStop - (column % tabStop)) + part;
  }, first);
}
