/**
 * A large file of UTF-16 seen as UTF-8, by offsets in that, a mark not counted: ripgrep tells no others. Where its pieces
 * begin is found out once, as far as is needed, and one piece is held at a time.
 */

import type { Fence, Pinned } from "../fence.ts";
import { rangeOf } from "./large.ts";
import type { Encoding } from "./text.ts";

/** Bytes from `start` up to `end`, or to the end of the file. Throws the signal's reason. */
export type Ranges = (start: number, end: number, signal: AbortSignal) => Promise<Buffer>;

export type Utf16 = Extract<Encoding, `utf-16${string}`>;

/** Bytes of the file that are seen at a time; even. */
const pieceBytes = 262_144;
const markBytes = 2;

/** Where a piece begins, in the file and in UTF-8. */
type Start = { readonly at: number; readonly offset: number };

export function utf16AsUtf8(fence: Fence, file: Pinned, encoding: Utf16): Ranges {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  const starts: Start[] = [{ at: markBytes, offset: 0 }];
  let held: { start: Start; bytes: Buffer } | undefined;

  /** Empty behind the end. What stands behind it is known then, too. */
  async function piece(index: number, start: Start): Promise<Buffer> {
    if (held?.start === start) return held.bytes;
    const raw = wholeCharacters(await rangeOf(fence, file, start.at, start.at + pieceBytes), encoding);
    const bytes = Buffer.from(decoder.decode(raw));
    starts[index + 1] ??= { at: start.at + raw.length, offset: start.offset + bytes.length };
    held = { start, bytes };
    return bytes;
  }

  return async (from, to, signal) => {
    const parts: Buffer[] = [];
    let index = starts.findLastIndex(({ offset }) => offset <= from);
    for (let start = starts[index]; start !== undefined && start.offset < to; start = starts[(index += 1)]) {
      signal.throwIfAborted();
      const bytes = await piece(index, start);
      if (bytes.length === 0) break;
      parts.push(bytes.subarray(Math.max(0, from - start.offset), to - start.offset));
    }
    return Buffer.concat(parts);
  };
}

/** A character that is cut at the end of a full piece belongs to the next. */
function wholeCharacters(raw: Buffer, encoding: Utf16): Buffer {
  if (raw.length < pieceBytes) return raw;
  const last = encoding === "utf-16le" ? raw.readUInt16LE(raw.length - 2) : raw.readUInt16BE(raw.length - 2);
  return (last & 0xfc00) === 0xd800 ? raw.subarray(0, -2) : raw;
}
