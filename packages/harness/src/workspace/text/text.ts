/**
 * Bytes seen as text. Nothing is lost on the way: every character of a view stands for certain bytes of the file, and
 * no replacement character is ever put in.
 *
 * - UTF-8, with or without a BOM, and UTF-16 with a BOM are decoded strictly.
 * - Any other text is seen through ("bytes"): what is valid UTF-8 stands as it is, each other byte as `\xNN` (two
 *   capital hexadecimal digits), and a backslash that would begin such an escape in the file itself as `\x5C`. So every
 *   `\xNN` in such a view is exactly one byte.
 * - A NUL in the first 8 KB makes a file binary; UTF-16 text is judged by its characters.
 *
 * Only \n ends a line, with a \r before it or without, as ripgrep, git and diff count. A lone \r is a character like
 * others.
 */

import { isUtf8 } from "node:buffer";
import { Failure } from "../../error.ts";
import { showPath } from "./show-path.ts";

export type Encoding = "utf-8" | "utf-8-bom" | "utf-16le" | "utf-16be" | "bytes";

/** How far a NUL is looked for, in bytes. */
export const binaryProbe = 8_192;

/** What is said of a file that is no text. */
export function binary(path: string): Failure {
  return new Failure("E_BINARY", `${showPath(path)} is a binary file.`, { remedy: "Only text can be read." });
}

/** The lines of a text without their ends. A final \n ends the last line and begins none. */
export function linesOf(text: string): string[] {
  const lines = text.includes("\r") ? text.split(/\r?\n/) : text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Text as it is in the file, \r included; undefined for what is no text. */
export function decode(bytes: Uint8Array): { text: string; encoding: Encoding } | undefined {
  const marked = bomOf(bytes);
  if (marked !== undefined) {
    const text = strictly(marked.label, bytes.subarray(marked.size));
    if (text !== undefined) return isBinaryText(text) ? undefined : { text, encoding: marked.encoding };
  }
  if (bytes.subarray(0, binaryProbe).includes(0)) return undefined;
  return decodeUnmarked(bytes);
}

/** A piece of text without a BOM: UTF-8, or else seen through. A NUL is a character like others here. */
export function decodeUnmarked(bytes: Uint8Array): { text: string; encoding: "utf-8" | "bytes" } {
  const text = strictly("utf-8", bytes);
  return text === undefined ? { text: seenThrough(bytes), encoding: "bytes" } : { text, encoding: "utf-8" };
}

type Bom = { encoding: Encoding; label: string; size: number };

function bomOf(bytes: Uint8Array): Bom | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return { encoding: "utf-8-bom", label: "utf-8", size: 3 };
  if (first === 0xff && second === 0xfe) return { encoding: "utf-16le", label: "utf-16le", size: 2 };
  if (first === 0xfe && second === 0xff) return { encoding: "utf-16be", label: "utf-16be", size: 2 };
  return undefined;
}

function strictly(label: string, bytes: Uint8Array): string | undefined {
  if (label === "utf-8") return isUtf8(bytes) ? bufferOf(bytes).toString() : undefined;
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function isBinaryText(text: string): boolean {
  return text.slice(0, binaryProbe).includes("\0");
}

/** All bytes as text of an unknown encoding, also where they happen to be UTF-8. */
export function seenThrough(bytes: Uint8Array): string {
  let seen = "";
  let valid = 0;
  let at = 0;
  while (at < bytes.length) {
    const size = characterSize(bytes, at);
    if (size === 0) {
      seen += escapeBackslashes(bytes.subarray(valid, at)) + escapeByte(bytes[at] ?? 0);
      valid = at + 1;
    }
    at += Math.max(size, 1);
  }
  return seen + escapeBackslashes(bytes.subarray(valid));
}

/** Bytes of the UTF-8 character that begins here; 0 if none does. */
function characterSize(bytes: Uint8Array, at: number): number {
  if ((bytes[at] ?? 0) < 0x80) return 1;
  for (let size = 2; size <= 4 && at + size <= bytes.length; size++) {
    if (isUtf8(bytes.subarray(at, at + size))) return size;
  }
  return 0;
}

function escapeBackslashes(valid: Uint8Array): string {
  return bufferOf(valid)
    .toString()
    .replace(/\\(?=x[0-9A-F]{2})/g, String.raw`\x5C`);
}

function escapeByte(byte: number): string {
  return String.raw`\x` + byte.toString(16).toUpperCase().padStart(2, "0");
}
