/**
 * Bytes that come in pieces, as text. What is valid UTF-8 stands as it is wherever it was cut, each other byte as
 * `\xNN`, and no replacement character is ever put in. Unlike in a file that is read, a backslash stays one: nothing
 * will be edited by what is shown here.
 */

import { isUtf8 } from "node:buffer";

export interface Decoder {
  /** Keeps back a character that has only begun. */
  write(bytes: Uint8Array): string;
  /** What was kept back. */
  end(): string;
}

export function createDecoder(): Decoder {
  let begun: Buffer = Buffer.alloc(0);
  return {
    write(bytes) {
      const all = begun.length === 0 ? bufferOf(bytes) : Buffer.concat([begun, bytes]);
      const whole = endOfWhole(all);
      begun = Buffer.from(all.subarray(whole)); // a copy: the bytes are the reader's
      return decode(all.subarray(0, whole));
    },
    end() {
      const rest = decode(begun);
      begun = Buffer.alloc(0);
      return rest;
    },
  };
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Where the last character that may still be continued begins. */
function endOfWhole(bytes: Buffer): number {
  for (let at = bytes.length - 1; at >= 0 && at >= bytes.length - 3; at--) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x80 && byte < 0xc0) continue;
    return at + sizeFrom(byte) > bytes.length ? at : bytes.length;
  }
  return bytes.length;
}

function decode(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  let text = "";
  let valid = 0;
  let at = 0;
  while (at < bytes.length) {
    const size = sizeFrom(bytes[at] ?? 0);
    if (size === 1 || (size > 1 && isUtf8(bytes.subarray(at, at + size)))) {
      at += size;
      continue;
    }
    if (valid < at) text += bytes.toString("utf8", valid, at);
    text += shownByte(bytes[at] ?? 0);
    at += 1;
    valid = at;
  }
  return text + bytes.toString("utf8", valid);
}

/** Bytes of the character that would begin so; 0 if none does. */
function sizeFrom(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** `\xNN`, for each byte: two capital hexadecimal digits. */
const shownBytes: readonly string[] = Array.from(
  { length: 256 },
  (_, byte) => String.raw`\x` + byte.toString(16).toUpperCase().padStart(2, "0"),
);

/** How a byte is shown that is no text. */
export function shownByte(byte: number): string {
  return shownBytes[byte] ?? "";
}
