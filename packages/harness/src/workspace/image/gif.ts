import type { ImageFormat } from "./format.ts";

const extension = 0x21;
const picture = 0x2c;
const trailer = 0x3b;

/** Extensions and pictures, each a header and a row of small blocks, up to the trailer. */
export const gif: ImageFormat = {
  name: "GIF",
  mediaType: "image/gif",
  begins: /^GIF8[79]a/,
  measure(file) {
    if (file.length < 13) return undefined;
    let pictures = 0;
    for (let at = 13 + coloursIn(file[10]); ;) {
      const kind = file[at];
      if (kind === extension) {
        at = endOfBlocks(file, at + 2);
      } else if (kind === picture) {
        pictures += 1;
        at = endOfBlocks(file, at + 11 + coloursIn(file[at + 9]));
      } else {
        const whole = kind === trailer && pictures > 0;
        return whole ? { width: file.readUInt16LE(6), height: file.readUInt16LE(8) } : undefined;
      }
    }
  },
};

/** Bytes of the colour table that these flags announce. */
function coloursIn(flags = 0): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

/** Each block begins with its length; an empty one ends the row. Beyond the file where the row has no end. */
function endOfBlocks(file: Buffer, from: number): number {
  let at = from;
  while ((file[at] ?? 0) > 0) at += (file[at] ?? 0) + 1;
  return at + 1;
}
