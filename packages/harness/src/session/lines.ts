/** The lines of a log as bytes, from either end, and what can be told of one without parsing it. */

import { open, type FileHandle } from "node:fs/promises";
import { Failure, messageOf } from "../error.ts";

/**
 * `at`: the byte of the file it begins at. Its bytes lie in a buffer that is used again: they hold until the next line is
 * asked for. None: it is longer than any line of a session.
 */
export type RawLine = { at: number; bytes: Buffer | undefined };

const newline = 0x0a;
/** Bytes: a reply's results with as many images as a request takes are a fraction of it. */
const longest = 128 * 1024 * 1024;
/** Bytes that are read at once, where nobody knows that few are enough. */
const usualPiece = 1024 * 1024;
/** Bytes in which the type of an event stands, as a log writes it. */
const headBytes = 64;

/**
 * Splits at bytes 0x0A only: readline would split at U+2028 too, which JSON leaves as it is. The last line may be
 * empty. Throws Failure E_LOG_UNREADABLE.
 */
export async function* linesOf(file: string, piece: number = usualPiece): AsyncGenerator<RawLine> {
  await using log = await openForReading(file);
  let buffer = Buffer.allocUnsafe(piece);
  /** Bytes of a line that has begun, at the front of the buffer. */
  let held = 0;
  /** And those before them that were let go, as it is too long. */
  let gone = 0;
  let at = 0;
  for (;;) {
    if (held === buffer.length && held < longest) buffer = Buffer.concat([buffer], 2 * held);
    if (held === buffer.length) [gone, held] = [gone + held, 0];
    const read = await log.read(buffer.subarray(held));
    if (read === 0) break;
    const filled = buffer.subarray(0, held + read);
    let from = 0;
    for (let to = filled.indexOf(newline, held); to !== -1; to = filled.indexOf(newline, from)) {
      yield { at, bytes: gone > 0 ? undefined : filled.subarray(from, to) };
      at += gone + to - from + 1;
      gone = 0;
      from = to + 1;
    }
    filled.copyWithin(0, from);
    held = filled.length - from;
  }
  yield { at, bytes: gone > 0 ? undefined : buffer.subarray(0, held) };
}

/** The same lines, the last one first. */
export async function* linesBackwards(file: string, piece: number = usualPiece): AsyncGenerator<RawLine> {
  await using log = await openForReading(file);
  const buffer = Buffer.allocUnsafe(piece);
  /** The end of a line whose beginning is not read yet, its last part first. */
  let rest: Buffer[] = [];
  let size = 0;
  const lineFrom = (at: number, begin: Buffer): RawLine => {
    const whole = rest.length === 0 ? begin : Buffer.concat([begin, ...rest.toReversed()]);
    const line = { at, bytes: size + begin.length > longest ? undefined : whole };
    rest = [];
    size = 0;
    return line;
  };
  for (let end = await log.size(); end > 0;) {
    const begin = Math.max(0, end - piece);
    const read = await log.read(buffer.subarray(0, end - begin), begin);
    let filled = buffer.subarray(0, read);
    for (let last = filled.lastIndexOf(newline); last !== -1; last = filled.lastIndexOf(newline)) {
      yield lineFrom(begin + last + 1, filled.subarray(last + 1));
      filled = filled.subarray(0, last);
    }
    size += filled.length;
    if (size > longest) rest = [];
    else rest.push(Buffer.from(filled));
    end = begin;
  }
  yield lineFrom(0, Buffer.alloc(0));
}

/** The type of the event on a line, where a log of croft wrote it: undefined says that nothing can be told. */
export function typeOf(bytes: Buffer): string | undefined {
  return /^\{"ms":\d+,"type":"(\w+)"/.exec(bytes.toString("latin1", 0, headBytes))?.[1];
}

export type Reading = {
  /** Fills a buffer with what stands at a byte of the file, by default where the last reading ended. The bytes it got. */
  read: (into: Buffer, at?: number) => Promise<number>;
  size: () => Promise<number>;
  [Symbol.asyncDispose]: () => Promise<void>;
};

/** Opens a log. What fails then or later is a Failure E_LOG_UNREADABLE. */
export async function openForReading(file: string): Promise<Reading> {
  const told = <T>(work: Promise<T>): Promise<T> =>
    work.catch((cause: unknown) => {
      throw new Failure("E_LOG_UNREADABLE", `The session log ${file} cannot be read: ${messageOf(cause)}.`, {
        remedy: "Check that it exists and is yours.",
        cause,
      });
    });
  const log: FileHandle = await told(open(file));
  return {
    read: async (into, at) => (await told(log.read(into, 0, into.length, at ?? null))).bytesRead,
    size: async () => (await told(log.stat())).size,
    [Symbol.asyncDispose]: () => log.close(),
  };
}
