/** What a JSON file is, and its values: one document, or one on each line. */

import { Failure } from "../../error.ts";
import type { HeldFile } from "../../workspace/held.ts";
import { showPath } from "../../workspace/text/show-path.ts";
import { breaksOf } from "../breaks.ts";
import type { Lines, RawLine } from "../lines.ts";
import { wholeValue, type Span } from "./scan.ts";

export type JsonKind = "json" | "json-lines";

/** Bytes of the largest document, and of the longest line of JSON Lines. */
const maxDocument = 67_108_864;
const maxLine = 16_777_216;
/** How much of a file is looked at to tell what it is. */
const probe = 65_536;

/** A file and its lines. */
export type LinedFile = { readonly file: HeldFile; readonly lines: Lines };

/** A value and where it stands. */
export type Value = { readonly bytes: Buffer; readonly span: Span };

/** By its name, or because its first line is a value and is not all there is. Throws the signal's reason. */
export async function jsonKindOf({ file, lines }: LinedFile, signal: AbortSignal): Promise<JsonKind> {
  if (/\.(?:jsonl|ndjson)$/i.test(file.path)) return "json-lines";
  let isFirst = true;
  for await (const batch of lines.raw(1, probe, signal)) {
    for (const line of batch) {
      const { bytes, ...range } = asUtf8(file, line);
      if (isBlank(bytes, range)) continue;
      if (!isFirst) return "json-lines";
      if (line.cut || spanOf(bytes, range) === undefined) return "json";
      isFirst = false;
    }
  }
  return "json";
}

/** All of a document. Throws E_TOO_LARGE, E_BAD_JSON. */
export async function documentIn(file: HeldFile, signal: AbortSignal): Promise<Value> {
  if (file.size > maxDocument) {
    throw new Failure(
      "E_TOO_LARGE",
      `${showPath(file.path)} is one JSON document of ${file.size} bytes, more than the ${maxDocument} that are read.`,
      { remedy: "Open it with open_file and use artifact_grep." },
    );
  }
  const all = Buffer.alloc(file.size);
  let size = 0;
  for (let count = -1; count !== 0 && size < all.length; size += count) {
    signal.throwIfAborted();
    count = await file.read(all.subarray(size), size);
  }
  const { bytes } = asUtf8(file, { bytes: all.subarray(breaksOf(file.encoding).mark, size), from: 0, to: size });
  return { bytes, span: wholeValue(bytes) };
}

/** A line of JSON Lines that is a value, or what is wrong with it. */
export type LineValue = { readonly line: number } & (Value | { readonly bad: string });

/**
 * From a line on, as many at a time as are read at a time: to be gone through before the next are asked for, which are
 * written over their bytes. Blank lines are passed over.
 */
export async function* valuesIn(
  { file, lines }: LinedFile,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<Iterable<LineValue>> {
  for await (const batch of lines.raw(from, maxLine, signal)) yield valuesOf(file, batch);
}

/** The first of them; undefined where there is none. */
export async function firstValueIn(
  lined: LinedFile,
  from: number,
  signal: AbortSignal,
): Promise<LineValue | undefined> {
  for await (const [value] of valuesIn(lined, from, signal)) {
    // Where a line goes on beyond what was read at a time, or has no end, that had none.
    if (value !== undefined) return value;
  }
  return undefined;
}

function* valuesOf(file: HeldFile, batch: Iterable<RawLine>): Generator<LineValue> {
  for (const line of batch) {
    const value = valueOf(file, line);
    if (value !== undefined) yield value;
  }
}

/** Undefined for a blank line. */
function valueOf(file: HeldFile, raw: RawLine): LineValue | undefined {
  const { line, cut } = raw;
  if (cut) return { line, bad: `longer than ${maxLine} bytes` };
  const { bytes, ...range } = asUtf8(file, raw);
  if (isBlank(bytes, range)) return undefined;
  const span = spanOf(bytes, range);
  return span === undefined ? { line, bad: "no JSON" } : { line, bytes, span };
}

function spanOf(bytes: Buffer, range: Span): Span | undefined {
  try {
    return wholeValue(bytes, range);
  } catch (thrown) {
    if (thrown instanceof Failure) return undefined;
    throw thrown;
  }
}

function isBlank(bytes: Buffer, { from, to }: Span): boolean {
  let at = from;
  while (at < to && (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0d)) at += 1;
  return at === to;
}

type Range = Span & { readonly bytes: Buffer };

function asUtf8(file: HeldFile, { bytes, from, to }: Range): Range {
  if (!file.encoding.startsWith("utf-16")) return { bytes, from, to };
  const text = Buffer.from(breaksOf(file.encoding).decode(bytes.subarray(from, to), false));
  return { bytes: text, from: 0, to: text.length };
}
