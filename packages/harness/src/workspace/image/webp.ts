import type { ImageFormat, Size } from "./format.ts";

/**
 * RIFF chunks of the length that the header tells. An extended file declares its canvas, a simple one only its picture.
 */
export const webp: ImageFormat = {
  name: "WebP",
  mediaType: "image/webp",
  begins: /^RIFF.{4}WEBP/s,
  measure(file) {
    let canvas: Size | undefined;
    let pictures = 0;
    const end = 8 + file.readUInt32LE(4);
    for (let at = 12; at < end;) {
      if (at + 8 > file.length) return undefined;
      const type = file.toString("latin1", at, at + 4);
      const data = file.subarray(at + 8, at + 8 + file.readUInt32LE(at + 4));
      if (data.length < file.readUInt32LE(at + 4)) return undefined;
      if (/^(VP8[ L]|ANMF)$/.test(type)) pictures += 1;
      canvas ??= sizeIn(type, data);
      at += 8 + data.length + (data.length % 2);
    }
    return pictures > 0 ? canvas : undefined;
  },
};

function sizeIn(type: string, data: Buffer): Size | undefined {
  if (type === "VP8X" && data.length >= 10) {
    return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 };
  }
  if (type === "VP8L" && data.length >= 5 && data[0] === 0x2f) {
    const bits = data.readUInt32LE(1);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (type === "VP8 " && data.length >= 10 && data.readUIntBE(3, 3) === 0x9d012a) {
    return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
  }
  return undefined;
}
