import { describe, expect, it, test } from "vitest";
import { asFailure } from "../../error.ts";
import { images, pngOf } from "./files.testing.ts";
import { formatOf, imageOf } from "./image.ts";

const whole = { ...images, png: pngOf(7, 5) };

/** `PNG image/png 7x5`, the code of the refusal, or "no image". */
function seen(bytes: Uint8Array): string {
  try {
    const format = formatOf("pic", bytes);
    if (format === undefined) return "no image";
    const view = imageOf("pic", format, bytes);
    return `${view.format} ${view.mediaType} ${view.width}x${view.height}`;
  } catch (thrown) {
    return asFailure(thrown).code;
  }
}

function damaged(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ 0x40, at);
  return copy;
}

test("each format is told by its bytes, with its media type and its size in pixels", () => {
  expect(Object.fromEntries(Object.entries(whole).map(([name, bytes]) => [name, seen(bytes)]))).toEqual({
    png: "PNG image/png 7x5",
    jpeg: "JPEG image/jpeg 7x5",
    gif: "GIF image/gif 7x5",
    lossy: "WebP image/webp 7x5",
    lossless: "WebP image/webp 7x5",
    extended: "WebP image/webp 7x5",
  });
});

describe.each(Object.entries(whole))("a %s image", (_, bytes) => {
  it("is refused wherever it is cut off", () => {
    const cuts = Array.from({ length: bytes.length - 16 }, (_, index) => seen(bytes.subarray(0, 16 + index)));
    expect([...new Set(cuts)]).toEqual(["E_IMAGE_DAMAGED"]);
  });
  it("is the same image with more bytes behind it", () => {
    expect(seen(Buffer.concat([bytes, Buffer.from("more")]))).toBe(seen(bytes));
  });
});

test("of a PNG, no byte behind the signature can change unnoticed", () => {
  const results = Array.from({ length: whole.png.length - 8 }, (_, index) => seen(damaged(whole.png, 8 + index)));
  expect([...new Set(results)]).toEqual(["E_IMAGE_DAMAGED"]);
});

test("the end of a thumbnail is not the end of the photo around it", () => {
  const { jpeg } = images;
  const length = Buffer.alloc(2);
  length.writeUInt16BE(jpeg.length + 2);
  const photo = Buffer.concat([jpeg.subarray(0, 2), Buffer.of(0xff, 0xe1), length, jpeg, jpeg.subarray(2)]);
  expect([seen(photo), seen(photo.subarray(0, -2))]).toEqual(["JPEG image/jpeg 7x5", "E_IMAGE_DAMAGED"]);
});

test("restart marks among the pixels of a JPEG, and fill bytes before a marker, are passed over", () => {
  const [start, end] = [images.jpeg.subarray(0, -2), images.jpeg.subarray(-2)];
  expect(seen(Buffer.concat([start, Buffer.of(0xff, 0xd0, 0xff, 0x00, 0xff), end]))).toBe("JPEG image/jpeg 7x5");
});

test("of two sizes that an image claims, the first one counts, as it does for whoever draws it", () => {
  const png = Buffer.concat([pngOf(9_000, 1).subarray(0, 33), pngOf(7, 5).subarray(8)]);
  const frame = Buffer.of(0xff, 0xc0, 0, 11, 8, 0xff, 0xff, 0xff, 0xff, 1, 1, 0, 0);
  const jpeg = Buffer.concat([images.jpeg.subarray(0, 2), frame, images.jpeg.subarray(2)]);
  expect([seen(png), seen(jpeg)]).toEqual(["E_IMAGE_TOO_LARGE", "E_IMAGE_TOO_LARGE"]);
});

test("8,000 pixels a side are the most, and none is no image", () => {
  expect([pngOf(8_000, 1), pngOf(1, 8_001), pngOf(0, 5)].map(seen)).toEqual([
    "PNG image/png 8000x1",
    "E_IMAGE_TOO_LARGE",
    "E_IMAGE_DAMAGED",
  ]);
});

test.each([
  ["BMP", "BM\x36\x0c\0\0\0\0\0\0\x36\0\0\0"],
  ["ICO", "\0\0\x01\0\x01\0"],
  ["TIFF", "II*\0\x08\0\0\0"],
  ["TIFF", "MM\0*\0\0\0\x08"],
  ["HEIC or AVIF", "\0\0\0\x20ftypavif\0\0"],
  ["JPEG XL", "\0\0\0\x0cJXL \r\n"],
  ["Photoshop", "8BPS\0\x01"],
])("%s is an image, but none for a model", (name, start) => {
  expect(() => formatOf("a b.png", Buffer.from(start, "latin1"))).toThrow(
    expect.objectContaining({
      code: "E_IMAGE_FORMAT",
      message: `a b.png is an image that no model is shown (${name}).`,
    }),
  );
});

test.each(["", "<svg/>", "BMP files are large.", "RIFF", "%PDF-1.7", "8BPS"])("%j begins no image", (start) => {
  expect(seen(Buffer.from(start))).toBe("no image");
});
