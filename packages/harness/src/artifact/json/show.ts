/** JSON values in words for a model: as they stand, on one line, or in outline. */

import { decodeUnmarked } from "../../workspace/text/text.ts";
import { findIn, jsonPathText, type JsonPath } from "./path.ts";
import { itemsOf, membersOf, typeAt, type Span } from "./scan.ts";

/** As it stands in the file. */
export function asItStands(bytes: Buffer, { from, to }: Span): string {
  return decodeUnmarked(bytes.subarray(from, to)).text;
}

/** Without blanks and line breaks between its parts. */
export function onOneLine(bytes: Buffer, { from, to }: Span): string {
  const kept = Buffer.allocUnsafe(to - from);
  let size = 0;
  let inString = false;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] ?? 0;
    if (!inString && (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09)) continue;
    kept[size] = byte;
    size += 1;
    if (byte === 0x22) inString = !inString;
    else if (inString && byte === 0x5c) {
      at += 1;
      kept[size] = bytes[at] ?? 0;
      size += 1;
    }
  }
  return decodeUnmarked(kept.subarray(0, size)).text;
}

/** An object of what stands at the paths; what is not there is left out. */
export function plucked(bytes: Buffer, value: Span, paths: readonly JsonPath[]): string {
  const parts = paths.flatMap((path) => {
    const found = findIn(bytes, value, path);
    return found === undefined ? [] : [`${JSON.stringify(jsonPathText(path))}:${onOneLine(bytes, found)}`];
  });
  return `{${parts.join(",")}}`;
}

/** `object of 3`, `array of 12`, `string`. */
export function kindOf(bytes: Buffer, value: Span): string {
  const type = typeAt(bytes, value);
  if (type === "object") return `object of ${countOf(membersOf(bytes, value))}`;
  return type === "array" ? `array of ${countOf(itemsOf(bytes, value))}` : type;
}

function countOf(parts: Iterable<unknown>): number {
  let count = 0;
  for (const _ of parts) count += 1;
  return count;
}
