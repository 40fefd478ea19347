/** Bytes <-> text view. */

import type { Hash } from "./fence.ts";

export type Eol = "lf" | "crlf" | "mixed" | "none";
/** A text file as a model sees it: line breaks as \n, no BOM. `lines` counts lines as an editor numbers them. */
export type FileView = { path: string; text: string; hash: Hash; lines: number; encoding: string; eol: Eol };
