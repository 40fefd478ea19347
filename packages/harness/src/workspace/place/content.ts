/**
 * The bytes of a held file, never more than it had when it was held: a file that grows meanwhile does not hold us up.
 */

import type { Place } from "./place.ts";

/** The largest file that is read whole, in bytes. */
export const maxFileBytes = 1_048_576;

/** The largest file that is changed, in bytes, before and after. */
export const maxChangedBytes = 16_777_216;

const chunkBytes = 65_536;

/** `start` is the first byte, `end` the one after the last. */
export async function* bytesOf(file: Place, start: number, end: number): AsyncGenerator<Uint8Array> {
  const reader = file.open();
  try {
    const last = Math.min(end, file.size);
    for (let at = Math.max(start, 0); at < last;) {
      const chunk = new Uint8Array(Math.min(chunkBytes, last - at));
      const count = await reader.read(chunk, at);
      if (count === 0) return;
      yield chunk.subarray(0, count);
      at += count;
    }
  } finally {
    reader.close();
  }
}

export function contentOf(file: Place): Uint8Array {
  const reader = file.open();
  try {
    const content = new Uint8Array(file.size);
    let at = 0;
    for (let count = -1; at < content.length && count !== 0; at += count) {
      count = reader.readSync(content.subarray(at), at);
    }
    return content.subarray(0, at);
  } finally {
    reader.close();
  }
}
