/**
 * The lines of a held file, found as far as they are needed and never held: what is remembered is where every so many
 * bytes which line goes on. Several may read at a time.
 */

import type { HeldFile } from "../workspace/held.ts";
import { breaksOf } from "./breaks.ts";

/**
 * Counted from 1, or from the end: -1 is the last. It stands in `bytes` from `from` to `to`; they are the reader's, and
 * written over for the next batch. What is behind it there begins with a NUL, unless it is `cut`: then there is more of it
 * than was wanted. `ended`: it ends in a line break, which is not part of it.
 */
export type RawLine = {
  readonly line: number;
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
  readonly cut: boolean;
  readonly ended: boolean;
};
export type Line = { readonly line: number; readonly text: string; readonly cut: boolean };

export interface Lines {
  /**
   * From a line on, each with `most` bytes at most, as many at a time as are read at a time: to be gone through before the
   * next are asked for. None where there is no such line. Throws the signal's reason.
   */
  raw(from: number, most: number, signal: AbortSignal): AsyncGenerator<Iterable<RawLine>>;
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

  async function* linesAt(
    start: number,
    first: number,
    most: number,
    signal: AbortSignal,
  ): AsyncGenerator<Iterable<RawLine>> {
    const head = createHead(most);
    let line = first;

    /** One at a time: lines that outlive the next one would make the memory of a process grow. */
    function* endingIn(bytes: Buffer): Generator<RawLine> {
      let from = 0;
      for (let end = breaks.next(bytes, 0); end !== -1; end = breaks.next(bytes, from)) {
        for (let at = end; at < end + breaks.width; at++) bytes[at] = 0; // sooner done than a call of `fill`
        const piece = { bytes, from, to: end };
        const whole = head.isEmpty ? upTo(piece, most) : head.end(piece);
        from = end + breaks.width;
        line += 1;
        yield { line: line - 1, ...whole, ended: true };
      }
    }

    for await (const { bytes } of chunksOf(file, start, signal)) {
      const last = breaks.last(bytes, bytes.length);
      yield endingIn(bytes);
      const from = last === -1 ? 0 : last + breaks.width;
      if (from < bytes.length) head.add({ bytes, from, to: bytes.length });
    }
    if (!head.isEmpty) yield [{ line, ...head.end(), ended: false }];
  }

  async function* raw(from: number, most: number, signal: AbortSignal): AsyncGenerator<Iterable<RawLine>> {
    const start = await seek(from, signal);
    if (start !== undefined) yield* linesAt(start, from, most, signal);
  }

  async function count(signal: AbortSignal): Promise<number> {
    if (total === undefined) await seek(Number.POSITIVE_INFINITY, signal);
    return total ?? 0;
  }

  function textOf({ line, bytes, from, to, cut, ended }: RawLine): Line {
    const text = breaks.decode(bytes.subarray(from, to), cut);
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

type Piece = { readonly bytes: Buffer; readonly from: number; readonly to: number };
type Beginning = Piece & { readonly cut: boolean };

function upTo({ bytes, from, to }: Piece, most: number): Beginning {
  return to - from <= most ? { bytes, from, to, cut: false } : { bytes, from, to: from + most, cut: true };
}

/** The beginning of a line that comes in pieces. */
type Head = {
  /** Whether no line has begun. */
  readonly isEmpty: boolean;
  add(piece: Piece): void;
  /** The line is over, with this piece if there is one more. */
  end(piece?: Piece): Beginning;
};

function createHead(most: number): Head {
  let pieces: Buffer[] = [];
  let size = 0;
  let cut = false;
  let begun = false;

  function add(piece: Piece): void {
    const kept = upTo(piece, most - size);
    begun = true;
    cut ||= kept.cut;
    if (kept.from === kept.to) return;
    pieces.push(Buffer.from(kept.bytes.subarray(kept.from, kept.to)));
    size += kept.to - kept.from;
  }

  return {
    get isEmpty() {
      return !begun;
    },
    add,
    end(piece) {
      if (piece !== undefined) add(piece);
      const bytes = Buffer.concat(pieces);
      const line = { bytes, from: 0, to: bytes.length, cut };
      pieces = [];
      size = 0;
      cut = false;
      begun = false;
      return line;
    },
  };
}
