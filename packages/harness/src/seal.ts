/**
 * A checksum at the end of each line of a log: what was changed since it was written is told apart from what was not.
 */

import { crc32 } from "node:zlib";

const sealBytes = ',"sum":"00000000"}'.length;

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

/** Whether a line ends in a seal that fits, told without a text being made of it. */
export function isSealed(line: Buffer): boolean {
  const end = line.length - sealBytes;
  const sum = /^,"sum":"([0-9a-f]{8})"\}$/.exec(line.toString("latin1", Math.max(0, end)))?.[1];
  return sum !== undefined && sum === hex(crc32("}", crc32(line.subarray(0, end))));
}

/** A checksum, for telling apart what differs: not for keeping anybody from forging it. */
export function sumOf(json: string): string {
  return hex(crc32(json));
}

function hex(sum: number): string {
  return sum.toString(16).padStart(8, "0");
}
