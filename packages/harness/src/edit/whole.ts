/** A whole file written: a new one, or another text in the place of one. */

import { sourceOf, type Ending, type Source } from "./source.ts";
import { splice } from "./splice.ts";

/** A new file: UTF-8, with the line breaks it is given. Throws E_ENCODING for text that is none. */
export function newFile(path: string, content: string): Buffer {
  return splice(sourceOf(path, Buffer.of()), [{ from: 0, to: 0, text: content, named: "" }]);
}

/**
 * The file with another text in it: its byte order mark and its encoding stay. `ending` is what a `\n` alone became: where
 * all lines of the file ended in `\r\n` and the new text has none, its lines end so too. Throws E_ENCODING, E_TOO_LARGE.
 */
export function replaceAllText(source: Source, content: string): { bytes: Buffer; ending: Ending } {
  const ending = source.ending === "\r\n" && !content.includes("\r\n") ? "\r\n" : "\n";
  const { raw, bytes, encoding, path } = source;
  const literal: Source = { path, bytes, encoding, raw, text: raw, crlf: [], ending };
  return { bytes: splice(literal, [{ from: 0, to: raw.length, text: content, named: raw }]), ending };
}
