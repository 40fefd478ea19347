/** Reading a unified diff, as git, diff and models write it. */

import { readBody } from "./hunk-lines.ts";
import { headerPath, withoutPrefixes } from "./paths.ts";
import { badPatch, peek, unexpected, type Cursor, type FilePatch, type Hunk } from "./patch.ts";

/** What the lines before the hunks of one file say. */
type Header = {
  patchLine: number;
  old?: string | undefined;
  path?: string | undefined;
  /** `/dev/null` stood there, or "new file mode" and "deleted file mode". */
  isNew: boolean;
  isDeleted: boolean;
  renamed?: { from: string; to: string } | undefined;
  mode?: number | undefined;
};

/** What git may say between its line and the hunks. */
const extended = new RegExp(
  `^(${[
    "old mode|new mode|new file mode|deleted file mode",
    "rename from|rename to|copy from|copy to|similarity index|dissimilarity index|index",
    "GIT binary patch|Binary files",
  ].join("|")})(?: (.*))?$`,
);
const hunkHeader = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/**
 * All files. What stands before the first, and behind the signature of a mailed patch, may be any text; between files it
 * must not look like lines of a hunk. Throws E_BAD_PATCH.
 */
export function readUnified(cursor: Cursor): FilePatch[] {
  const files: FilePatch[] = [];
  let isMessage = true;
  while (cursor.at < cursor.lines.length) {
    isMessage ||= cursor.lines[cursor.at] === "-- ";
    if (beginsFile(cursor)) {
      files.push(readFile(cursor));
      isMessage = false;
    } else if ((isMessage ? /^@@ -\d/ : /^[-+@]|^ +\S/).test(peek(cursor) ?? "")) {
      throw unexpected(cursor, "a line of the hunk, or the headers of the next file");
    } else cursor.at += 1;
  }
  return files;
}

function beginsFile(cursor: Cursor): boolean {
  const line = peek(cursor) ?? "";
  if (line.startsWith("diff --git ")) return true;
  return line.startsWith("--- ") && cursor.lines[cursor.at + 1]?.startsWith("+++ ") === true;
}

/** What ends a hunk that has not as many lines as it says. */
function endsHunk(cursor: Cursor): boolean {
  const line = peek(cursor) ?? "";
  if (/^(@@|diff --git |\*\*\* )/.test(line)) return true;
  return beginsFile(cursor) && cursor.lines[cursor.at + 2]?.startsWith("@@") === true;
}

function readFile(cursor: Cursor): FilePatch {
  const header = readHeader(cursor);
  const hunks: Hunk[] = [];
  while (isAtHunk(cursor)) hunks.push(readHunk(cursor));
  return fileOf(header, hunks);
}

/** Passes over empty lines, if a hunk follows them. */
function isAtHunk(cursor: Cursor): boolean {
  let at = cursor.at;
  while (/^\s*$/.test(cursor.lines[at] ?? "-")) at += 1;
  if (cursor.lines[at]?.startsWith("@@") !== true) return false;
  cursor.at = at;
  return true;
}

function readHeader(cursor: Cursor): Header {
  const header: Header = { patchLine: cursor.at + 1, isNew: false, isDeleted: false };
  if (peek(cursor)?.startsWith("diff --git ") === true) readGitHeader(cursor, header);
  if (peek(cursor)?.startsWith("--- ") !== true) return header;
  if (cursor.lines[cursor.at + 1]?.startsWith("+++ ") !== true) {
    cursor.at += 1;
    throw unexpected(cursor, 'a line that begins with "+++ "');
  }
  const old = headerPath(peek(cursor)?.slice(4) ?? "");
  cursor.at += 1;
  const path = headerPath(peek(cursor)?.slice(4) ?? "");
  cursor.at += 1;
  header.isNew ||= old === undefined;
  header.isDeleted ||= path === undefined;
  return { ...header, ...withoutPrefixes(old, path, header.path) };
}

/** The lines from "diff --git" up to the hunks or to "--- ". */
function readGitHeader(cursor: Cursor, header: Header): void {
  Object.assign(header, gitPaths((peek(cursor) ?? "").slice("diff --git ".length)));
  let from: string | undefined;
  let to: string | undefined;
  for (cursor.at += 1; cursor.at < cursor.lines.length; cursor.at += 1) {
    const line = peek(cursor) ?? "";
    const [word = "", rest = ""] = extended.exec(line)?.slice(1) ?? [];
    if (word === "") break;
    if (word === "rename from") from = headerPath(rest);
    if (word === "rename to") to = headerPath(rest);
    if (word === "new file mode") {
      header.isNew = true;
      header.mode = modeOf(rest, cursor);
    }
    if (word === "deleted file mode") header.isDeleted = true;
    if (word === "old mode")
      throw badPatch(cursor.at + 1, "a patch cannot change the mode of a file here; leave it out");
    if (word === "copy from") throw badPatch(cursor.at + 1, "a patch cannot copy here; add the file instead");
    if (word === "GIT binary patch" || word === "Binary files") {
      throw badPatch(cursor.at + 1, "only text can be patched, and this is a binary file");
    }
  }
  if (from !== undefined && to !== undefined) header.renamed = { from, to };
}

/** Both paths of "diff --git a/x b/x", where that can be read in one way only; a rename says its paths again. */
function gitPaths(text: string): Pick<Header, "old" | "path"> {
  const quoted = /^("(?:[^"\\]|\\.)*") ("(?:[^"\\]|\\.)*")$/.exec(text);
  const half = (text.length - 1) / 2;
  const [left = "", right = ""] = quoted?.slice(1) ?? [text.slice(0, half), text.slice(half + 1)];
  const { old, path } = withoutPrefixes(headerPath(left), headerPath(right));
  return old === path ? { old, path } : {};
}

/** As git does, only whether a file can be run is taken from it. */
function modeOf(text: string, cursor: Cursor): number {
  const mode = Number.parseInt(text, 8);
  if (mode >>> 12 !== 0o10) throw badPatch(cursor.at + 1, "only regular files can be made, not links or submodules");
  return (mode & 0o111) === 0 ? 0o666 : 0o777;
}

function fileOf(header: Header, hunks: readonly Hunk[]): FilePatch {
  const { patchLine, renamed } = header;
  if (renamed !== undefined) return { kind: "update", patchLine, path: renamed.from, to: renamed.to, hunks };
  const path = header.isDeleted ? header.old : header.path;
  if (path === undefined || path === "") throw badPatch(patchLine, "expected headers that name a file");
  if (header.isNew && header.isDeleted) throw badPatch(patchLine, "a file cannot be both new and deleted");
  if (header.isNew) return { kind: "add", patchLine, path, content: contentOf(hunks), mode: header.mode };
  if (header.isDeleted) return { kind: "delete", patchLine, path, hunk: wholeOf(patchLine, hunks) };
  if (header.old !== path) {
    throw badPatch(patchLine, "the two headers name two files; expected one name, or rename from and rename to");
  }
  if (hunks.length === 0) throw badPatch(patchLine, "expected a hunk after the headers");
  return { kind: "update", patchLine, path, hunks };
}

function contentOf(hunks: readonly Hunk[]): string {
  const [hunk, second] = hunks;
  if (hunk === undefined) return "";
  if (second !== undefined) throw badPatch(second.patchLine, "a new file has one hunk");
  if (hunk.lines.some(({ kind }) => kind !== "+")) throw badPatch(hunk.patchLine, "a new file has only lines with +");
  return hunk.lines.map(({ text }) => text).join("\n") + (hunk.newOpen || hunk.lines.length === 0 ? "" : "\n");
}

/** Without a hunk the file is deleted as an empty one. */
function wholeOf(patchLine: number, hunks: readonly Hunk[]): Hunk {
  const [hunk, second] = hunks;
  if (second !== undefined) throw badPatch(second.patchLine, "a deleted file has one hunk");
  if (hunk?.lines.some(({ kind }) => kind !== "-") === true) {
    throw badPatch(hunk.patchLine, "a deleted file has only lines with -");
  }
  return hunk ?? { patchLine, lines: [], anchors: [], atEnd: false, oldOpen: false, newOpen: false };
}

function readHunk(cursor: Cursor): Hunk {
  const patchLine = cursor.at + 1;
  const line = peek(cursor) ?? "";
  const numbers = hunkHeader.exec(line);
  if (numbers === null && !/^@@( \.\.\. @@)?\s*$/.test(line))
    throw unexpected(cursor, '"@@ -1,2 +1,2 @@" with its numbers');
  cursor.at += 1;
  const counts = numbers === null ? undefined : { old: Number(numbers[2] ?? 1), new: Number(numbers[3] ?? 1) };
  const { isCounted, ...body } = readBody(cursor, counts, endsHunk);
  if (body.lines.length === 0) throw unexpected(cursor, 'a line of a hunk, which begins with " ", "-" or "+"');
  // Where the counts are wrong the line number is not to be trusted either.
  const oldStart = isCounted ? Number(numbers?.[1]) : undefined;
  return { patchLine, ...body, oldStart, anchors: [], atEnd: false };
}
