/** The lines of a log as bytes, and what can be told of one without parsing it. */

import { createReadStream } from "node:fs";
import { Failure, messageOf } from "../error.ts";

/** `at`: the byte of the file it begins at. No bytes: it is longer than any line of a session. */
export type RawLine = { at: number; bytes: Buffer | undefined };

const newline = 0x0a;
/** Bytes: a reply's results with as many images as a request takes are a fraction of it. */
const longest = 128 * 1024 * 1024;
const chunkBytes = 1024 * 1024;
/** Bytes in which the type of an event stands, as a log writes it. */
const headBytes = 64;

/**
 * Splits at bytes 0x0A only: readline would split at U+2028 too, which JSON leaves as it is. The last line may be
 * empty. Throws Failure E_LOG_UNREADABLE.
 */
export async function* linesOf(file: string): AsyncGenerator<RawLine> {
  let rest: Buffer[] = [];
  let size = 0;
  let at = 0;
  const add = (part: Buffer): void => {
    size += part.length;
    if (size <= longest) rest.push(part);
    else rest = [];
  };
  const take = (): RawLine => {
    const [only = Buffer.alloc(0)] = rest;
    const bytes = size > longest ? undefined : rest.length > 1 ? Buffer.concat(rest) : only;
    const line = { at, bytes };
    at += size + 1;
    rest = [];
    size = 0;
    return line;
  };
  try {
    const chunks: AsyncIterable<Buffer> = createReadStream(file, { highWaterMark: chunkBytes });
    for await (const chunk of chunks) {
      let start = 0;
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
        add(chunk.subarray(start, end));
        yield take();
        start = end + 1;
      }
      if (start < chunk.length) add(chunk.subarray(start));
    }
  } catch (error) {
    throw new Failure("E_LOG_UNREADABLE", `The session log ${file} cannot be read: ${messageOf(error)}.`, {
      remedy: "Check that it exists and is yours.",
      cause: error,
    });
  }
  yield take();
}

/** The type of the event on a line, where a log of croft wrote it: undefined says that nothing can be told. */
export function typeOf(bytes: Buffer): string | undefined {
  return /^\{"ms":\d+,"type":"(\w+)"/.exec(bytes.toString("latin1", 0, headBytes))?.[1];
}
