/**
 * Private keys in PEM, as they stand in files, in strings of programs and in JSON. Each line of a key is a secret of
 * its own, so that no line break is ever part of one and line numbers stay right.
 */

import type { Found } from "./found.ts";

const header = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;

/** Characters of a key that stands in one line. */
const maxLine = 20_000;
/** Characters before a header that may stand before the other lines too. */
const longestLead = 100;
/** Lines of a key: 16,384 bits of RSA are about 200. */
const maxLines = 400;

/** Whether a text may hold a key: the only secret of which a line does not tell what it is. */
export function mayHoldKey(text: string): boolean {
  return text.includes("PRIVATE KEY");
}

/** The keys in a text, also one that does not end in it. */
export function privateKeys(text: string): Found[] {
  if (!mayHoldKey(text)) return [];
  return [...text.matchAll(header)].flatMap((begin) => keyAt(text, begin.index, begin[0]).found);
}

/**
 * Where the line from `from` to `to` ends together with the key that begins in it, if one does; undefined where the
 * text is over before the key is.
 */
export function endWithKey(text: string, from: number, to: number): number | undefined {
  const line = text.slice(from, to);
  const begin = line.includes("PRIVATE KEY") ? [...line.matchAll(header)].at(-1) : undefined;
  return begin === undefined ? to : keyAt(text, from + begin.index, begin[0]).end;
}

/** `end`: where the first line begins that is not of the key; undefined where the text is over before. */
type Key = { found: Found[]; end: number | undefined };

function keyAt(text: string, at: number, begin: string): Key {
  const from = at + begin.length;
  const lineEnd = endOfLine(text, from);
  const inOne = keyInOneLine(text.slice(from, lineEnd), from);
  if (inOne !== undefined) return { found: [inOne], end: Math.min(lineEnd + 1, text.length) };
  const lead = /[^\n]*$/.exec(text.slice(Math.max(0, at - longestLead), at))?.[0] ?? "";
  return keyLines(text, lineEnd + 1, lead);
}

/** Not further than a key in one line can reach: a text of nothing but headers would be searched once for each. */
function endOfLine(text: string, from: number): number {
  const at = text.slice(from, from + maxLine).indexOf("\n");
  return at === -1 ? Math.min(text.length, from + maxLine) : from + at;
}

/** `\nMIIE…\n`: the line breaks are escapes, in a string or in a string within a string. */
const escaped = /^(?:\\{1,2}[nr])*(?<body>[A-Za-z0-9+/=](?:[A-Za-z0-9+/=]|\\{1,2}[nr](?=[A-Za-z0-9+/=\\])){15,})/d;

function keyInOneLine(rest: string, offset: number): Found | undefined {
  const body = escaped.exec(rest)?.indices?.groups?.["body"];
  return body && { from: offset + body[0], to: offset + body[1], name: "private-key" };
}

/** Base64 behind a line number, quotes or the sign of a comment, and before what ends a string. */
const bodyLine =
  /^(?:[ \t]*\d{1,9}[\t:|])?[ \t]*(?:(?:[#*>|;]|\/\/[ \t]|--[ \t])[ \t]*)?["'`]?(?<body>[A-Za-z0-9+/]{1,200}={0,2})(?:\\{1,2}[nr])*["'`]?[ \t,;+\\.)\r]*$/d;
/** Nothing, or a field such as `Proc-Type: 4,ENCRYPTED`. */
const otherLine = /^(?:\d{1,9}[\t:|])?[+ \t#*>|"'`\\nr\r/-]{0,40}(?:[A-Z][A-Za-z-]{1,20}: [^\n]{1,100})?$/;

/** A key ends where a line is neither of it nor empty: a header may stand alone in a text that explains it. */
function keyLines(text: string, start: number, lead: string): Key {
  const found: Found[] = [];
  let previous = 0;
  for (let at = start, count = 0; at < text.length; count++) {
    const end = endOfLine(text, at);
    // The sign of a diff before the first line stands before the others too; `+` could be taken for base64.
    const skipped = lead !== "" && text.startsWith(lead, at) ? lead.length : 0;
    const line = text.slice(at + skipped, end);
    const body = bodyLine.exec(line)?.indices?.groups?.["body"];
    const size = body === undefined ? 0 : body[1] - body[0];
    const isBody = size >= 16 || (size > 0 && previous >= 16);
    if (count === maxLines || (!isBody && !otherLine.test(line))) return { found, end: at };
    if (body !== undefined && isBody) {
      const from = at + skipped;
      const goesOn = found.length > 0 ? { goesOn: true as const } : {};
      found.push({ from: from + body[0], to: from + body[1], name: "private-key", ...goesOn });
    }
    previous = size;
    at = end + 1;
  }
  return { found, end: undefined };
}
