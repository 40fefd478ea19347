/** Reading a patch: a unified diff or a `*** Begin Patch` envelope. */

import { Failure } from "../../error.ts";
import { readEnvelope } from "./envelope.ts";
import { badPatch, maxFiles, maxPatch, type Cursor, type FilePatch } from "./patch.ts";
import { readUnified } from "./unified.ts";

/**
 * The files a patch speaks of, in its order. If every line of the patch ends in `\r\n` it is read as one with `\n`; if
 * only some do, a `\r` at the end of a line of a hunk is part of that line.
 *
 * Throws E_BAD_PATCH, which names the line of the patch and what was expected there, and E_TOO_LARGE.
 */
export function parsePatch(text: string): FilePatch[] {
  if (text.length > maxPatch) {
    throw new Failure("E_TOO_LARGE", `The patch has ${text.length} characters; ${maxPatch} are allowed.`, {
      remedy: "Nothing was changed. Divide it.",
    });
  }
  const lines = (/(?<!\r)\n/.test(text) ? text : text.replaceAll("\r\n", "\n")).split("\n");
  if (lines.at(-1) === "") lines.pop();
  const cursor: Cursor = { lines, at: 0 };
  while (/^\s*$/.test(lines[cursor.at] ?? "-")) cursor.at += 1;
  const isEnvelope = /^\s*\*\*\* Begin Patch\s*$/.test(lines[cursor.at] ?? "");
  const files = isEnvelope ? readEnvelope(cursor) : readUnified(cursor);
  const first = files[0];
  if (first === undefined)
    throw badPatch(1, 'expected "*** Begin Patch" or the headers of a unified diff, found neither');
  if (files.length > maxFiles) {
    throw new Failure("E_TOO_LARGE", `The patch names ${files.length} files; ${maxFiles} are allowed.`, {
      remedy: "Nothing was changed. Divide it.",
    });
  }
  return files;
}
