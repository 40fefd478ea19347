import type { ImageFormat, Size } from "./format.ts";

const fill = 0xff;
const startOfScan = 0xda;
const endOfImage = 0xd9;

/**
 * A chain of segments, each a marker and a length, up to the end marker; behind a scan's header come its packed pixels.
 */
export const jpeg: ImageFormat = {
  name: "JPEG",
  mediaType: "image/jpeg",
  begins: /^\xff\xd8\xff/,
  measure(file) {
    let size: Size | undefined;
    let scans = 0;
    for (let at = 2; at + 2 <= file.length;) {
      const marker = file[at + 1] ?? 0;
      if (file[at] !== 0xff) return undefined;
      if (marker === endOfImage) return scans > 0 ? size : undefined;
      if (marker === fill) {
        at += 1;
        continue;
      }
      if (at + 4 > file.length) return undefined;
      const end = at + 2 + file.readUInt16BE(at + 2);
      if (end > file.length) return undefined;
      if (isFrame(marker) && end >= at + 9) {
        size ??= { height: file.readUInt16BE(at + 5), width: file.readUInt16BE(at + 7) };
      }
      if (marker === startOfScan) scans += 1;
      at = marker === startOfScan ? endOfPixels(file, end) : end;
    }
    return undefined;
  },
};

/** The kinds of frame header; three numbers among them mean something else. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Among packed pixels 0xFF is followed by a zero or a restart mark; anything else is the next marker. */
function endOfPixels(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at !== -1; at = file.indexOf(0xff, at + 2)) {
    const next = file[at + 1] ?? 0;
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return file.length;
}
