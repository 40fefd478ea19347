/** A whole file as the bytes it holds. */

import { hash } from "node:crypto";
import type { Hash } from "./change.ts";
import type { Fence, Pinned } from "./fence.ts";
import { maxChangedBytes } from "./place/content.ts";

/** What a change is planned upon. `mode`: permission bits. */
export type Source = { path: string; bytes: Uint8Array; hash: Hash; mode: number };

/** Throws E_TOO_LARGE and what else the fence throws. */
export function sourceOf(fence: Fence, file: Pinned): Source {
  const bytes = fence.content(file, maxChangedBytes);
  return { path: file.path, bytes, hash: hash("sha256", bytes), mode: file.mode };
}
