/** Reading a patch: a unified diff or a `*** Begin Patch` envelope. */

import { Failure } from "../../error.ts";
import { readEnvelope } from "./envelope.ts";
import { badPatch, maxFiles, maxPatch, type Cursor, type FilePatch } from "./patch.ts";
import { readUnified } from "./unified.ts";

const beginsEnvelope = /^\s*\*\*\* Begin Patch\s*$/;
/** What models put an envelope in: a fence of Markdown, or the words by which a shell would be given it. */
const beginsWrapping = /^\s*(?:(`{3,})\w*|.*<<-?\s*(["']?)([\w.-]+)\2)\s*$/;

/**
 * The files a patch speaks of, in its order. If every line of the patch ends in `\r\n` it is read as one with `\n`; if
 * only some do, a `\r` at the end of a line of a hunk is part of that line. An envelope may stand in a fence or a heredoc.
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
  const cursor: Cursor = unwrapped(lines);
  const isEnvelope = beginsEnvelope.test(cursor.lines[cursor.at] ?? "");
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

/** From the first line that is not blank; what an envelope is wrapped in is taken off, if it is whole. */
function unwrapped(lines: readonly string[]): Cursor {
  const at = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  const [, fence, , delimiter] = beginsWrapping.exec(lines[at] ?? "") ?? [];
  const isWrapped = lines[last]?.trim() === (fence ?? delimiter) && beginsEnvelope.test(lines[at + 1] ?? "");
  return isWrapped ? { lines: lines.slice(0, last), at: at + 1 } : { lines, at: Math.max(0, at) };
}
