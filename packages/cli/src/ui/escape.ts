/**
 * Untrusted text made safe to look at: what a terminal would obey (control characters, C1, ANSI) and what an eye would
 * miss (bidi marks, zero-width and tag characters, stray variation selectors) is written out as `\x1b` or `\u{202e}`.
 * What is plainly to be seen is let through first: the tables of Unicode behind the other patterns take a third of node's
 * own start-up to load.
 */

import { unseenCharacters } from "@croft/harness";

/** Printable ASCII, Latin but for the soft hyphen, punctuation, arrows, and what boxes, ticks and spinners are drawn with. */
const plainly = String.raw`\x20-\x7e\xa0-\xac\xae-\u024f\u2010-\u2027\u2030-\u205e\u2190-\u27bf\u2801-\u28ff`;
const plainLine = new RegExp(`^[${plainly}]*$`);
const plainText = new RegExp(`^[${plainly}\\n\\t]*$`);

/** Text of many lines: line feeds and tabs stay. */
export function escapeText(text: string): string {
  if (plainText.test(text)) return text;
  return escape(text, "\n\t");
}

/** Text that must stay on its line: line feeds and tabs are written out as well. */
export function escapeLine(text: string): string {
  if (plainLine.test(text)) return text;
  return escape(text, "");
}

/**
 * Valid JSON made pure of such characters; it parses to the very same value. Only for JSON text, where they stand in
 * strings.
 */
export function escapeJson(json: string): string {
  if (plainLine.test(json)) return json;
  return json.replace(unsafe(), (character) =>
    Array.from({ length: character.length }, (_, unit) => `\\u${hex(character.charCodeAt(unit), 4)}`).join(""),
  );
}

function escape(text: string, keep: string): string {
  const visible = (part: string): string =>
    part.replace(unsafe(), (character) => (keep.includes(character) ? character : spelled(character)));
  let out = "";
  let end = 0;
  // One emoji as Unicode lists them: selectors and joiners inside it are part of a picture, not a trick.
  for (const { 0: emoji, index } of text.matchAll(pictures())) {
    out += visible(text.slice(end, index)) + emoji;
    end = index + emoji.length;
  }
  return out + visible(text.slice(end));
}

/** No literal: such a one is looked up in the tables when the file is parsed. */
function pictures(): RegExp {
  return new RegExp(String.raw`\p{RGI_Emoji}`, "gv");
}

/** Every code point that is not shown as itself; one for private use is drawn as whatever a font makes of it. */
function unsafe(): RegExp {
  return new RegExp(String.raw`[${unseenCharacters}\p{Co}]`, "gu");
}

function spelled(character: string): string {
  if (character === "\n") return "\\n";
  if (character === "\r") return "\\r";
  if (character === "\t") return "\\t";
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${hex(code, 2)}` : `\\u{${hex(code, 4)}}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}
