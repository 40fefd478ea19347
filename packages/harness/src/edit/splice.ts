/** New text put into the bytes of a file: what is outside the replaced ranges is never decoded and written again. */

import { Failure } from "../error.ts";
import { showPath } from "../workspace/text/show-path.ts";
import { encode } from "../workspace/text/encode.ts";
import { chooseEndings } from "./endings.ts";
import { byteOffset, count, endingAt, rawOffset, type Ending, type Source } from "./source.ts";

/**
 * A range of the view and what shall stand there, with `\n` for every line break. `named`: what whoever asks has shown
 * to know of the file; in a file of unknown encoding new text can hold only the characters beyond ASCII that stand in it.
 */
export type Replacement = { from: number; to: number; text: string; named: string };

/** No file grows beyond this, in bytes. */
const maxResult = 67_108_864;

/**
 * The bytes of the file with all replacements made. They are ascending and do not overlap. Throws E_ENCODING for text
 * that the file cannot hold, and E_TOO_LARGE.
 */
export function splice(source: Source, replacements: readonly Replacement[]): Buffer {
  const majority = majorityOf(source);
  const parts: Uint8Array[] = [];
  let size = 0;
  const add = (part: Uint8Array): void => {
    size += part.length;
    if (size > maxResult) throw tooLarge(source.path);
    parts.push(part);
  };
  let raw = 0;
  let byte = byteOffset(source, 0);
  let kept = 0;
  for (const replacement of replacements) {
    const start = rawOffset(source, replacement.from);
    const end = rawOffset(source, replacement.to);
    const startByte = byteOffset(source, start, { raw, byte });
    add(source.bytes.subarray(kept, startByte));
    add(encodeNew(source, replacement, majority));
    byte = byteOffset(source, end, { raw: start, byte: startByte });
    raw = end;
    kept = byte;
  }
  add(source.bytes.subarray(kept));
  return Buffer.concat(parts);
}

function tooLarge(path: string): Failure {
  return new Failure("E_TOO_LARGE", `${showPath(path)} would grow beyond ${maxResult / 1_048_576} MiB.`, {
    remedy: "Replace less, or with less.",
  });
}

function encodeNew(source: Source, replacement: Replacement, majority: Ending): Buffer {
  const { text } = replacement;
  const where = showPath(source.path);
  if (!text.isWellFormed()) {
    throw new Failure("E_ENCODING", `The new text for ${where} holds half a surrogate pair, which is no character.`, {
      remedy: "Write the whole character.",
    });
  }
  if (text.includes("\0")) {
    throw new Failure("E_ENCODING", `The new text for ${where} holds a NUL, which would make it a binary file.`, {
      remedy: "Write it as an escape of the language the file is in.",
    });
  }
  if (replacement.from === 0 && source.bytes.length > 0 && text.startsWith("\ufeff")) {
    throw new Failure("E_ENCODING", `The new text for ${where} begins with a byte order mark.`, {
      remedy: "Leave it out: a mark that the file has is kept.",
    });
  }
  if (source.encoding === "bytes") refuseUnshown(source, replacement);
  return encode(written(source, replacement, majority), source.encoding);
}

/**
 * In a file of unknown encoding nobody knows how a character beyond ASCII is written, nor whether `\xE9` means a byte or
 * four characters: only what was there before can be there again. `\x5CxE9` can only be a backslash and `xE9`.
 */
function refuseUnshown(source: Source, { text, named }: Replacement): void {
  for (const [shown] of text.matchAll(/\\x5Cx[0-9A-F]{2}|\\x[0-9A-F]{2}|[^\0-\x7f]/gu)) {
    if (shown.startsWith("\\x5Cx") || named.includes(shown)) continue;
    const isEscape = shown.startsWith("\\");
    const problem = isEscape ? "could be a byte or four characters" : "could be written in many ways";
    throw new Failure(
      "E_ENCODING",
      `${showPath(source.path)} is not UTF-8, and its encoding is not known: ${shown} in the new text ${problem}.`,
      {
        remedy: isEscape
          ? `For the byte, take a line that shows ${shown} into the text to be replaced; for the characters write \\x5C${shown.slice(1)}.`
          : "Use ASCII, and such \\xNN as the text to be replaced shows.",
      },
    );
  }
}

/** The new text with the line breaks that the file has there. */
function written(source: Source, { from, to, text }: Replacement, majority: Ending): string {
  if (source.ending === "\n" || !text.includes("\n")) return text;
  if (source.ending === "\r\n") return text.replaceAll("\n", "\r\n");
  const old = source.text.slice(from, to);
  const breaks: number[] = [];
  for (let at = old.indexOf("\n"); at !== -1; at = old.indexOf("\n", at + 1)) breaks.push(from + at);
  const before = from === 0 ? -1 : source.text.lastIndexOf("\n", from - 1);
  const after = source.text.indexOf("\n", to);
  const chosen = chooseEndings(
    old,
    breaks.map((at) => endingAt(source, at)),
    text,
    {
      before: before === -1 ? undefined : endingAt(source, before),
      after: after === -1 ? undefined : endingAt(source, after),
      majority,
    },
  );
  return text
    .split("\n")
    .map((line, index) => line + (chosen[index] ?? ""))
    .join("");
}

function majorityOf({ text, crlf }: Source): Ending {
  return crlf.length * 2 > count(text, "\n") ? "\r\n" : "\n";
}
