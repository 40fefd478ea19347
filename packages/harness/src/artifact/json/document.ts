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
    for (const { bytes, cut } of batch) {
      const text = utf8(file, bytes);
      if (isBlank(text)) continue;
      if (!isFirst) return "json-lines";
      if (cut || !isValue(text)) return "json";
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
  const bytes = utf8(file, all.subarray(breaksOf(file.encoding).mark, size));
  return { bytes, span: wholeValue(bytes) };
}

/** A line of JSON Lines that is a value, or what is wrong with it. */
export type LineValue = { readonly line: number } & (Value | { readonly bad: string });

/** From a line on, as many at a time as are read at a time; blank lines are passed over. */
export async function* valuesIn(
  { file, lines }: LinedFile,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<LineValue[]> {
  for await (const batch of lines.raw(from, maxLine, signal)) yield batch.flatMap((line) => valueOf(file, line));
}

function valueOf(file: HeldFile, { line, bytes: raw, cut }: RawLine): LineValue[] {
  if (cut) return [{ line, bad: `longer than ${maxLine} bytes` }];
  const bytes = utf8(file, raw);
  if (isBlank(bytes)) return [];
  const span = spanOf(bytes);
  return [span === undefined ? { line, bad: "no JSON" } : { line, bytes, span }];
}

function spanOf(bytes: Buffer): Span | undefined {
  try {
    return wholeValue(bytes);
  } catch (thrown) {
    if (thrown instanceof Failure) return undefined;
    throw thrown;
  }
}

function isValue(bytes: Buffer): boolean {
  return spanOf(bytes) !== undefined;
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

function utf8(file: HeldFile, bytes: Buffer): Buffer {
  return file.encoding.startsWith("utf-16") ? Buffer.from(breaksOf(file.encoding).decode(bytes, false)) : bytes;
}
