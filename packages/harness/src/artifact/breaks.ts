/** Where lines end, in each encoding: one way to look for them, so that nothing else has to know. */

import { decodeUnmarked, type Encoding } from "../workspace/text/text.ts";
import { endOfWhole } from "../workspace/text/utf8.ts";

/** For pieces of a file that begin and end between its smallest units. */
export interface Breaks {
  /** Bytes of the mark at the start of the file. */
  readonly mark: number;
  /** Bytes of a line break, which is the smallest unit of the encoding. */
  readonly width: number;
  /** Where the first line break from `from` on begins, or -1. */
  next(bytes: Buffer, from: number): number;
  /** Where the last line break before `to` begins, or -1. */
  last(bytes: Buffer, to: number): number;
  /** A piece of text; `cut`: a character that only begins at its end is left out. */
  decode(bytes: Buffer, cut: boolean): string;
}

const newline = 10;

/** How the lines of a file with this encoding are told apart. */
export function breaksOf(encoding: Encoding): Breaks {
  if (encoding === "utf-16le") return ofTwoBytes(encoding, 0);
  if (encoding === "utf-16be") return ofTwoBytes(encoding, 1);
  return {
    mark: encoding === "utf-8-bom" ? 3 : 0,
    width: 1,
    next: (bytes, from) => bytes.indexOf(newline, from),
    last: (bytes, to) => (to === 0 ? -1 : bytes.lastIndexOf(newline, to - 1)),
    decode: (bytes, cut) => decodeUnmarked(cut ? bytes.subarray(0, endOfWhole(bytes)) : bytes).text,
  };
}

/** `low`: which of the two bytes is the one that holds ASCII. */
function ofTwoBytes(label: "utf-16le" | "utf-16be", low: 0 | 1): Breaks {
  const isBreak = (bytes: Buffer, at: number): boolean => (at - low) % 2 === 0 && bytes[at + 1 - 2 * low] === 0;
  return {
    mark: 2,
    width: 2,
    next(bytes, from) {
      for (let at = bytes.indexOf(newline, from); at !== -1; at = bytes.indexOf(newline, at + 1)) {
        if (isBreak(bytes, at)) return at - low;
      }
      return -1;
    },
    last(bytes, to) {
      for (let at = to; at > 0;) {
        at = bytes.lastIndexOf(newline, at - 1);
        if (at === -1) return -1;
        if (isBreak(bytes, at)) return at - low;
      }
      return -1;
    },
    decode: (bytes) =>
      new TextDecoder(label, { ignoreBOM: true }).decode(bytes.subarray(0, bytes.length - (bytes.length % 2))),
  };
}
