/**
 * Untrusted text made safe to look at: what a terminal would obey (control characters, C1, ANSI) and what an eye would miss
 * (bidi marks, zero-width and tag characters, stray variation selectors) is written out as `\x1b` or `\u{202e}`.
 */

/** Every code point that is not shown as itself. Line feed and tab are left to the caller. */
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** One emoji as Unicode lists them: selectors and joiners inside it are part of a picture, not a trick. */
const picture = /\p{RGI_Emoji}/gv;

/** Text of many lines: line feeds and tabs stay. */
export function escapeText(text: string): string {
  return escape(text, (character) => character === "\n" || character === "\t");
}

/** Text that must stay on its line: line feeds and tabs are written out as well. */
export function escapeLine(text: string): string {
  return escape(text, () => false);
}

/** Valid JSON made pure of such characters; it parses to the very same value. Only for JSON text, where they stand in strings. */
export function escapeJson(json: string): string {
  return json.replace(unsafe, (character) =>
    Array.from({ length: character.length }, (_, unit) => `\\u${hex(character.charCodeAt(unit), 4)}`).join(""),
  );
}

function escape(text: string, keep: (character: string) => boolean): string {
  const visible = (part: string): string =>
    part.replace(unsafe, (character) => (keep(character) ? character : spelled(character)));
  let out = "";
  let end = 0;
  for (const { 0: emoji, index } of text.matchAll(picture)) {
    out += visible(text.slice(end, index)) + emoji;
    end = index + emoji.length;
  }
  return out + visible(text.slice(end));
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
