import { crc32 } from "node:zlib";
import type { ImageFormat, Size } from "./format.ts";

/** Each chunk has a checksum, so that damage shows as well as a missing end. */
export const png: ImageFormat = {
  name: "PNG",
  mediaType: "image/png",
  begins: /^\x89PNG\r\n\x1a\n/,
  measure(file) {
    let size: Size | undefined;
    let pixels = false;
    for (const { type, data } of chunksOf(file)) {
      if (type === "IHDR" && data.length === 13) size ??= { width: data.readUInt32BE(0), height: data.readUInt32BE(4) };
      if (type === "IDAT") pixels = true;
      if (type === "IEND") return pixels ? size : undefined;
    }
    return undefined;
  },
};

/** Ends at the first chunk that is not whole. */
function* chunksOf(file: Buffer): Generator<{ type: string; data: Buffer }> {
  for (let at = 8; at + 12 <= file.length;) {
    const end = at + 8 + file.readUInt32BE(at);
    if (end + 4 > file.length || crc32(file.subarray(at + 4, end)) !== file.readUInt32BE(end)) return;
    yield { type: file.toString("latin1", at + 4, at + 8), data: file.subarray(at + 8, end) };
    at = end + 4;
  }
}
