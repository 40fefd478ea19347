/** A whole text file as a model sees it. */

import { hash } from "node:crypto";
import type { Hash } from "../fence.ts";
import { binary, decode, type Encoding } from "./text.ts";

export type Eol = "lf" | "crlf" | "mixed" | "none";
/** A text file as a model sees it: line breaks as \n, no BOM. `lines` counts lines as an editor numbers them. */
export type FileView = { path: string; text: string; hash: Hash; lines: number; encoding: Encoding; eol: Eol };

/** The view of a whole file. Throws E_BINARY. */
export function viewOf(path: string, bytes: Uint8Array): FileView {
  const decoded = decode(bytes);
  if (decoded === undefined) throw binary(path);
  const text = decoded.text.replaceAll("\r\n", "\n");
  return {
    path,
    text,
    hash: hash("sha256", bytes),
    lines: countLines(text),
    encoding: decoded.encoding,
    eol: eolOf(decoded.text),
  };
}

function countLines(text: string): number {
  let lines = text === "" || text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

function eolOf(text: string): Eol {
  const ends = new Set(text.match(/\r?\n/g));
  if (ends.size === 0) return "none";
  if (ends.size === 2) return "mixed";
  return ends.has("\n") ? "lf" : "crlf";
}
