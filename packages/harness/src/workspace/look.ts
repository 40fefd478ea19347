/** What there is to see of a file: its text, or the image it is. */

import { isUtf8 } from "node:buffer";
import { maxFileBytes } from "./place/content.ts";
import type { Fence, Pinned } from "./fence.ts";
import { formatOf, imageOf, imageTooLarge, maxImageBytes, type ImageView } from "./image/image.ts";
import { viewOf, type FileView } from "./text/view.ts";

/** How much of a file tells what it is. */
const probe = 16;

/** Throws E_BINARY, E_IMAGE_FORMAT, E_IMAGE_DAMAGED, E_IMAGE_TOO_LARGE, and what the fence throws. */
export async function look(fence: Fence, file: Pinned): Promise<FileView | ImageView> {
  const limit = file.size > maxFileBytes ? await limitFor(fence, file) : maxFileBytes;
  const bytes = fence.content(file, limit);
  const format = formatOf(file.path, bytes.subarray(0, probe));
  return format === undefined || isTyped(bytes) ? viewOf(file.path, bytes) : imageOf(file.path, format, bytes);
}

/** An image may be larger than a text. */
async function limitFor(fence: Fence, file: Pinned): Promise<number> {
  const start = await Array.fromAsync(fence.bytes(file, { start: 0, end: probe }));
  const format = formatOf(file.path, Buffer.concat(start));
  if (format === undefined) return maxFileBytes;
  if (file.size > maxImageBytes) throw imageTooLarge(file.path, format.name, `${file.size} bytes`);
  return maxImageBytes;
}

/** `GIF89a` can begin a text too; no image is without a NUL. */
function isTyped(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}
