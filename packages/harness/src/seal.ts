/**
 * A checksum at the end of each line of a log: what was changed since it was written is told apart from what was not.
 */

import { crc32 } from "node:zlib";

/** The JSON text of an object, with a last field `sum` over all the rest. */
export function seal(json: string): string {
  return `${json.slice(0, -1)},"sum":"${sumOf(json)}"}`;
}

/** The JSON text without its seal, and whether that fits; undefined: there is none. */
export function unseal(text: string): { json: string; fits: boolean | undefined } {
  const end = /,"sum":"([^"]*)"\}$/.exec(text);
  if (end === null) return { json: text, fits: undefined };
  const json = `${text.slice(0, end.index)}}`;
  return { json, fits: end[1] === sumOf(json) };
}

/** A checksum, for telling apart what differs: not for keeping anybody from forging it. */
export function sumOf(json: string): string {
  return crc32(json).toString(16).padStart(8, "0");
}
