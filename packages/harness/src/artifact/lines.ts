/**
 * The lines of a held file, found as far as they are needed and never held: what is remembered is where every so many
 * bytes which line goes on. Several may read at a time.
 */

import type { HeldFile } from "../workspace/held.ts";
import { breaksOf } from "./breaks.ts";

/**
 * Counted from 1, or from the end: -1 is the last. `bytes`: as much of it as was wanted; `cut`: there is more. `ended`: it
 * ends in a line break, which is none of them.
 */
export type RawLine = {
  readonly line: number;
  readonly bytes: Buffer;
  readonly cut: boolean;
  readonly ended: boolean;
};
export type Line = { readonly line: number; readonly text: string; readonly cut: boolean };

export interface Lines {
  /**
   * From a line on, each with `most` bytes at most, as many at a time as are read at a time. None where there is no such
   * line. Throws the signal's reason.
   */
  raw(from: number, most: number, signal: AbortSignal): AsyncGenerator<readonly RawLine[]>;
  /** The same as text, one by one. */
  from(from: number, most: number, signal: AbortSignal): AsyncGenerator<Line>;
  /** The last so many, found from the end: numbered where that is known or soon found out, else from the end. */
  last(count: number, most: number, signal: AbortSignal): AsyncGenerator<Line>;
  count(signal: AbortSignal): Promise<number>;
}

const chunkBytes = 262_144;
/** Bytes between two places that are remembered. */
const stride = 1_048_576;
/** A file of so many bytes is soon counted. */
const soonCounted = 16_777_216;

/** So many lines end before a place. */
type Mark = { readonly at: number; readonly ended: number };

/** Nothing is read before it is asked for. */
export function linesIn(file: HeldFile): Lines {
  const breaks = breaksOf(file.encoding);
  const marks: Mark[] = [{ at: breaks.mark, ended: 0 }];
  let total: number | undefined;

  /** What is found out twice is the same. */
  function remember(mark: Mark): void {
    if (mark.at - (marks.at(-1)?.at ?? 0) >= stride) marks.push(mark);
  }

  /** Where a line begins; undefined where there is none, and then `total` is known. */
  async function seek(line: number, signal: AbortSignal): Promise<number | undefined> {
    if (total !== undefined && line > total) return undefined;
    if (line === 1 && breaks.mark < file.size) return breaks.mark;
    const start = lastBefore(marks, line - 1);
    let { ended } = start;
    for await (const { at, bytes } of chunksOf(file, start.at, signal)) {
      for (let from = 0, end = breaks.next(bytes, 0); end !== -1; end = breaks.next(bytes, from)) {
        from = end + breaks.width;
        ended += 1;
        if (ended === line - 1 && at + from < file.size) return at + from;
      }
      remember({ at: at + bytes.length, ended });
    }
    total = ended + ((await isOpen()) ? 1 : 0);
    return undefined;
  }

  /** Whether the last line has no end. */
  async function isOpen(): Promise<boolean> {
    if (file.size <= breaks.mark) return false;
    const end = Buffer.alloc(breaks.width);
    await file.read(end, file.size - breaks.width);
    return breaks.next(end, 0) !== 0;
  }

  async function* linesAt(start: number, first: number, most: number, signal: AbortSignal): AsyncGenerator<RawLine[]> {
    const head = createHead(most);
    let line = first;
    let begun = false;
    for await (const chunk of chunksOf(file, start, signal)) {
      const bytes = Buffer.from(chunk.bytes); // lines stay parts of it
      const batch: RawLine[] = [];
      let from = 0;
      for (let end = breaks.next(bytes, 0); end !== -1; end = breaks.next(bytes, from)) {
        head.add(bytes.subarray(from, end));
        batch.push({ line, ...head.take(), ended: true });
        line += 1;
        from = end + breaks.width;
      }
      begun = from < bytes.length;
      head.add(bytes.subarray(from));
      yield batch;
    }
    if (begun) yield [{ line, ...head.take(), ended: false }];
  }

  async function* raw(from: number, most: number, signal: AbortSignal): AsyncGenerator<readonly RawLine[]> {
    const start = await seek(from, signal);
    if (start !== undefined) yield* linesAt(start, from, most, signal);
  }

  async function count(signal: AbortSignal): Promise<number> {
    if (total === undefined) await seek(Number.POSITIVE_INFINITY, signal);
    return total ?? 0;
  }

  function textOf({ line, bytes, cut, ended }: RawLine): Line {
    const text = breaks.decode(bytes, cut);
    return { line, text: ended && !cut ? text.replace(/\r$/, "") : text, cut };
  }

  return {
    raw,
    async *from(from, most, signal) {
      for await (const batch of raw(from, most, signal)) for (const line of batch) yield textOf(line);
    },
    async *last(wanted, most, signal) {
      const { start, found } = await startOfLast(file, wanted, signal);
      if (file.size <= soonCounted) await count(signal);
      const first = total === undefined ? -found : total - found + 1;
      for await (const batch of linesAt(start, first, most, signal)) for (const line of batch) yield textOf(line);
    },
    count,
  };
}

/** The last mark that at least one more line ends behind, before line `ended` + 1 begins. */
function lastBefore(marks: readonly Mark[], ended: number): Mark {
  let low = 0;
  let high = marks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((marks[middle]?.ended ?? 0) < ended) low = middle;
    else high = middle - 1;
  }
  return marks[low] ?? { at: 0, ended: 0 };
}

/** Where the last `wanted` lines begin, or as many as there are. */
async function startOfLast(
  file: HeldFile,
  wanted: number,
  signal: AbortSignal,
): Promise<{ start: number; found: number }> {
  const breaks = breaksOf(file.encoding);
  const buffer = Buffer.allocUnsafe(chunkBytes);
  let found = file.size > breaks.mark ? 1 : 0;
  for (let end = file.size - ((file.size - breaks.mark) % breaks.width); end > breaks.mark;) {
    signal.throwIfAborted();
    const start = Math.max(breaks.mark, end - chunkBytes);
    const bytes = buffer.subarray(0, await filled(file, buffer.subarray(0, end - start), start));
    for (let at = breaks.last(bytes, bytes.length); at !== -1; at = breaks.last(bytes, at)) {
      const behind = start + at + breaks.width;
      if (behind >= file.size) continue;
      if (found === wanted) return { start: behind, found };
      found += 1;
    }
    end = start;
  }
  return { start: breaks.mark, found };
}

/** The buffer is used again for the next chunk. */
async function* chunksOf(
  file: HeldFile,
  start: number,
  signal: AbortSignal,
): AsyncGenerator<{ at: number; bytes: Buffer }> {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (let at = start; at < file.size;) {
    signal.throwIfAborted();
    const count = await filled(file, buffer, at);
    if (count === 0) return;
    yield { at, bytes: buffer.subarray(0, count) };
    at += count;
  }
}

/** Full, or up to the end of the file: a chunk never ends within a unit of the encoding. */
async function filled(file: HeldFile, into: Buffer, position: number): Promise<number> {
  let size = 0;
  for (let count = -1; size < into.length && count !== 0; size += count) {
    count = await file.read(into.subarray(size), position + size);
  }
  return size;
}

/** The beginning of a line that comes in pieces. */
type Head = { add(piece: Buffer): void; take(): { bytes: Buffer; cut: boolean } };

function createHead(most: number): Head {
  let pieces: Buffer[] = [];
  let size = 0;
  let cut = false;
  return {
    add(piece) {
      const kept = piece.length > most - size ? piece.subarray(0, most - size) : piece;
      cut ||= kept.length < piece.length;
      if (kept.length === 0) return;
      pieces.push(kept);
      size += kept.length;
    },
    take() {
      const taken = { bytes: pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces), cut };
      pieces = [];
      size = 0;
      cut = false;
      return taken;
    },
  };
}
