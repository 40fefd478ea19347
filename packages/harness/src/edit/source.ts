/** A text file as its view, with the way from every place in the view back to the bytes. */

import { decode, binary, type Encoding } from "../workspace/text/text.ts";
import { encodedSize, bomSize } from "../workspace/text/encode.ts";

/** How the lines of a file end; "\n" where none does. */
export type Ending = "\n" | "\r\n";

export type Source = {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly encoding: Encoding;
  /** As decoded: every line end as it is in the file. */
  readonly raw: string;
  /** As a model sees it: `\r\n` as `\n`. All offsets that tools speak of are offsets in this. */
  readonly text: string;
  /** Where in `text` the line breaks stand that are `\r\n` in the file, ascending. */
  readonly crlf: readonly number[];
  readonly ending: Ending | "mixed";
};

/** A file seen as a model sees it. `path` is for messages. Throws E_BINARY. */
export function sourceOf(path: string, bytes: Uint8Array): Source {
  const plain = rawSourceOf(path, bytes);
  const { raw } = plain;
  if (!raw.includes("\r\n")) return plain;
  const crlf: number[] = [];
  for (let at = raw.indexOf("\r\n"); at !== -1; at = raw.indexOf("\r\n", at + 2)) crlf.push(at - crlf.length);
  const text = raw.replaceAll("\r\n", "\n");
  return { ...plain, text, crlf, ending: count(text, "\n") === crlf.length ? "\r\n" : "mixed" };
}

/** A file seen with every `\r` in it, for patches that speak of line ends themselves. Throws E_BINARY. */
export function rawSourceOf(path: string, bytes: Uint8Array): Source {
  const decoded = decode(bytes);
  if (decoded === undefined) throw binary(path);
  const { text: raw, encoding } = decoded;
  return { path, bytes, encoding, raw, text: raw, crlf: [], ending: "\n" };
}

/** Where a place of the view is in `raw`: never between `\r` and `\n`. */
export function rawOffset(source: Source, at: number): number {
  return at + firstNotBelow(source.crlf, at);
}

/** Where a place of `raw` is in the bytes. `from` is a place before it whose bytes are known. */
export function byteOffset(source: Source, at: number, from?: { raw: number; byte: number }): number {
  const { raw, byte } = from ?? { raw: 0, byte: bomSize(source.encoding) };
  return byte + encodedSize(source.raw.slice(raw, at), source.encoding);
}

/** How the line break at a place of the view is written. */
export function endingAt(source: Source, at: number): Ending {
  return source.crlf[firstNotBelow(source.crlf, at)] === at ? "\r\n" : "\n";
}

/** Whether a place of the view is inside something that is one in the file: an escaped byte, or a surrogate pair. */
export function isWithinCharacter(source: Source, at: number): boolean {
  if (/^[\ud800-\udbff][\udc00-\udfff]/.test(source.text.slice(Math.max(0, at - 1), at + 1))) return at > 0;
  if (source.encoding !== "bytes") return false;
  const around = source.text.slice(Math.max(0, at - 3), at + 3);
  const escape = around.search(/\\x[0-9A-F]{2}/);
  const start = at - Math.min(at, 3) + escape;
  return escape !== -1 && start < at && at < start + 4;
}

/** Lines are numbered from 1. */
export function lineAt(text: string, at: number): number {
  return count(text.slice(0, at), "\n") + 1;
}

/** How often a part stands in a text, apart from each other. */
export function count(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) found += 1;
  return found;
}

/** The index of the first of the ascending numbers that is not below `limit`: so many are. */
function firstNotBelow(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
