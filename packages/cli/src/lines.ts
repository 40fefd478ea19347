/** Lines of a stream that somebody else writes. */

import type { Input } from "./io.ts";

/**
 * Each line without its line feed, the last one even if it has none. Nothing else ends a line: JSON may hold U+2028 as
 * it is. Of a line longer than `most` bytes nothing is kept: it comes as undefined.
 */
export async function* linesOf(input: Input, most: number): AsyncGenerator<Buffer | undefined> {
  let parts: Buffer[] = [];
  let size = 0;
  const add = (part: Buffer): void => {
    size += part.length;
    if (size <= most) parts.push(part);
    else parts = [];
  };
  const take = (): Buffer | undefined => {
    const line = size <= most ? Buffer.concat(parts) : undefined;
    parts = [];
    size = 0;
    return line;
  };
  for await (const piece of input) {
    const bytes = Buffer.from(piece);
    let from = 0;
    for (let end = bytes.indexOf("\n"); end !== -1; end = bytes.indexOf("\n", from)) {
      add(bytes.subarray(from, end));
      yield take();
      from = end + 1;
    }
    add(bytes.subarray(from));
  }
  if (size > 0) yield take();
}
