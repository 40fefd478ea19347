/**
 * What git has taken up, from its index, versions 2 to 4 with SHA-1. A file whose very bytes are there can be read from
 * `.git` by any command, so there is nothing in it to hide.
 */

import { createHash } from "node:crypto";

/** Path, in UTF-8, to the name of its content: hexadecimal. Empty for an index that cannot be read. */
export function parseGitIndex(index: Uint8Array): Map<string, string> {
  const tracked = new Map<string, string>();
  const bytes = Buffer.from(index.buffer, index.byteOffset, index.byteLength);
  if (bytes.length < headerBytes || bytes.toString("latin1", 0, 4) !== "DIRC") return tracked;
  const version = bytes.readUInt32BE(4);
  const count = bytes.readUInt32BE(8);
  if (version < 2 || version > 4) return tracked;
  let at = headerBytes;
  let name: Buffer = Buffer.alloc(0);
  for (let entry = 0; entry < count && at + fixedBytes <= bytes.length; entry += 1) {
    const content = bytes.toString("hex", at + contentAt, at + flagsAt);
    const extended = (bytes.readUInt16BE(at + flagsAt) & extendedFlag) !== 0;
    let nameAt = at + fixedBytes + (extended ? 2 : 0);
    if (version === 4) {
      const dropped = readVariable(bytes, nameAt);
      nameAt = dropped.next;
      const end = bytes.indexOf(0, nameAt);
      if (end < 0) return new Map();
      name = Buffer.concat([name.subarray(0, name.length - dropped.value), bytes.subarray(nameAt, end)]);
      at = end + 1;
    } else {
      const end = bytes.indexOf(0, nameAt);
      if (end < 0) return new Map();
      name = bytes.subarray(nameAt, end);
      // Padded with 1 to 8 zeros to a multiple of 8.
      at += Math.floor((end - at + 8) / 8) * 8;
    }
    tracked.set(name.toString("utf8"), content);
  }
  return tracked;
}

/** The name that git gives these bytes. */
export function gitNameOf(content: Uint8Array): string {
  return createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
}

const headerBytes = 12;
/** Of an entry: times, device, mode, owner and size; then the name of the content, then flags. */
const contentAt = 40;
const flagsAt = 60;
const fixedBytes = 62;
const extendedFlag = 0x4000;

/** As git writes offsets: seven bits a byte, the highest first, each further byte one more. */
function readVariable(bytes: Buffer, from: number): { value: number; next: number } {
  let at = from;
  let byte = bytes[at] ?? 0;
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    at += 1;
    byte = bytes[at] ?? 0;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, next: at + 1 };
}
