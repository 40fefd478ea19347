/** Whole UTF-8 characters in bytes that were cut anywhere. */

/** Where the first whole character begins. */
export function startOfWhole(bytes: Uint8Array): number {
  const at = bytes.subarray(0, 3).findIndex((byte) => (byte & 0xc0) !== 0x80);
  return Math.max(at, 0);
}

/** Where the last whole character ends. */
export function endOfWhole(bytes: Uint8Array): number {
  const back = [...bytes.subarray(-3)].toReversed().findIndex((byte) => byte >= 0xc0);
  const lead = bytes.at(-back - 1) ?? 0;
  const size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return back !== -1 && back + 1 < size ? bytes.length - back - 1 : bytes.length;
}
