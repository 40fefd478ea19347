/** Images as models take them: which formats, how large, and what is said of the others. */

import { hash } from "node:crypto";
import { Failure } from "../../error.ts";
import type { Hash } from "../fence.ts";
import { showPath } from "../text/show-path.ts";
import type { ImageFormat } from "./format.ts";
import { gif } from "./gif.ts";
import { jpeg } from "./jpeg.ts";
import { png } from "./png.ts";
import { webp } from "./webp.ts";

export type ImageView = {
  path: string;
  /** PNG, JPEG, GIF or WebP. */
  format: string;
  mediaType: string;
  /** Pixels. */
  width: number;
  height: number;
  bytes: Uint8Array;
  hash: Hash;
};

/** Services refuse an image of more than 5 MB in base64, or of more pixels on a side. */
export const maxImageBytes = 3_932_160;
const maxSide = 8_000;

const formats: readonly ImageFormat[] = [png, jpeg, gif, webp];

/** Images that no service takes. Each of these beginnings holds a NUL, so no text is mistaken for one. */
const foreign: readonly Pick<ImageFormat, "name" | "begins">[] = [
  { name: "BMP", begins: /^BM.{4}\0{4}/s },
  { name: "ICO", begins: /^\0\0[\x01\x02]\0/ },
  { name: "TIFF", begins: /^(II\*\0|MM\0\*)/ },
  { name: "HEIC or AVIF", begins: /^\0\0\0.ftyp(hei|hev|mif|msf|avi)/s },
  { name: "JPEG XL", begins: /^\0\0\0\x0cJXL / },
  { name: "Photoshop", begins: /^8BPS\0/ },
];

/** The format that the first bytes of a file announce. Throws E_IMAGE_FORMAT for an image no service takes. */
export function formatOf(path: string, start: Uint8Array): ImageFormat | undefined {
  const beginning = Buffer.from(start).toString("latin1");
  const stranger = foreign.find(({ begins }) => begins.test(beginning));
  if (stranger !== undefined) {
    throw new Failure("E_IMAGE_FORMAT", `${showPath(path)} is an image that no model is shown (${stranger.name}).`, {
      remedy: "Only PNG, JPEG, GIF and WebP can be: ask for it in one of these, or go on without it.",
    });
  }
  return formats.find(({ begins }) => begins.test(beginning));
}

/** The view of a whole file. Throws E_IMAGE_DAMAGED, E_IMAGE_TOO_LARGE. */
export function imageOf(path: string, format: ImageFormat, bytes: Uint8Array): ImageView {
  const { name, mediaType } = format;
  const size = format.measure(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (size === undefined || size.width === 0 || size.height === 0) {
    throw new Failure("E_IMAGE_DAMAGED", `${showPath(path)} is a ${name} image that is cut off or damaged.`, {
      remedy: "It cannot be shown: go on without it, and say so if the answer depends on it.",
    });
  }
  const { width, height } = size;
  if (Math.max(width, height) > maxSide) throw imageTooLarge(path, name, `${width} x ${height} pixels`);
  return { path, format: name, mediaType, width, height, bytes, hash: hash("sha256", bytes) };
}

/** `size` in words, bytes or pixels. */
export function imageTooLarge(path: string, name: string, size: string): Failure {
  const most = `${maxImageBytes} bytes and ${maxSide} pixels a side`;
  return new Failure("E_IMAGE_TOO_LARGE", `${showPath(path)} is a ${name} image of ${size}; the limit is ${most}.`, {
    remedy: "Ask for a smaller version of it, or go on without it.",
  });
}
