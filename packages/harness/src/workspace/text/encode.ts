/** The way back from text, as `decode` gives it, to the bytes it stands for. */

import type { Encoding } from "./text.ts";

/** What `decode` shows for one byte of text in an unknown encoding. */
const escape = /\\x[0-9A-F]{2}/g;

/** Bytes of the mark that an encoding puts before the text. */
export function bomSize(encoding: Encoding): number {
  if (encoding === "utf-8-bom") return 3;
  return encoding.startsWith("utf-16") ? 2 : 0;
}

/**
 * The bytes of a piece of text, without a mark. Of "bytes", each `\xNN` is one byte. Whoever cuts a text must not cut
 * through an escape or a surrogate pair.
 */
export function encode(text: string, encoding: Encoding): Buffer {
  if (encoding === "utf-16le") return Buffer.from(text, "utf16le");
  if (encoding === "utf-16be") return Buffer.from(text, "utf16le").swap16();
  if (encoding !== "bytes" || !text.includes("\\")) return Buffer.from(text);
  const parts: Buffer[] = [];
  let at = 0;
  for (const { 0: shown, index } of text.matchAll(escape)) {
    parts.push(Buffer.from(text.slice(at, index)), Buffer.from(shown.slice(2), "hex"));
    at = index + shown.length;
  }
  return Buffer.concat([...parts, Buffer.from(text.slice(at))]);
}

/** How many bytes `encode` gives, without making them. */
export function encodedSize(text: string, encoding: Encoding): number {
  if (encoding.startsWith("utf-16")) return text.length * 2;
  const size = Buffer.byteLength(text);
  if (encoding !== "bytes" || !text.includes("\\")) return size;
  const escapes = text.match(escape)?.length ?? 0;
  return size - escapes * 3;
}
