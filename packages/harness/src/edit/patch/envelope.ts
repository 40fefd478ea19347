/** Reading the `*** Begin Patch` form. Its marks stand at the beginning of a line, where no line of a file can. */

import { readBody } from "./hunk-lines.ts";
import { badPatch, peek, unexpected, type Cursor, type FilePatch, type Hunk } from "./patch.ts";

const begins = {
  add: "*** Add File: ",
  update: "*** Update File: ",
  remove: "*** Delete File: ",
  move: "*** Move to: ",
} as const;
const endOfPatch = /^\*\*\* End Patch\s*$/;
const endOfFile = /^\*\*\* End of File\s*$/;
const someFile = '"*** Add File: ", "*** Update File: ", "*** Delete File: " or "*** End Patch"';

/** From its first line to its last; nothing but blanks may follow. Throws E_BAD_PATCH. */
export function readEnvelope(cursor: Cursor): FilePatch[] {
  cursor.at += 1;
  const files: FilePatch[] = [];
  for (let line = next(cursor); !endOfPatch.test(line ?? ""); line = next(cursor)) {
    files.push(readFile(cursor));
  }
  cursor.at += 1;
  if (next(cursor) !== undefined) throw unexpected(cursor, 'nothing after "*** End Patch"');
  if (files.length === 0) throw badPatch(1, `expected ${someFile} after it, found no file`);
  return files;
}

/** The next line that is not blank. */
function next(cursor: Cursor): string | undefined {
  while (/^\s*$/.test(peek(cursor) ?? "-")) cursor.at += 1;
  return peek(cursor);
}

function readFile(cursor: Cursor): FilePatch {
  const patchLine = cursor.at + 1;
  const line = peek(cursor) ?? "";
  if (line.startsWith(begins.add)) {
    const path = pathIn(cursor, begins.add);
    return { kind: "add", patchLine, path, content: readContent(cursor) };
  }
  if (line.startsWith(begins.remove)) return { kind: "delete", patchLine, path: pathIn(cursor, begins.remove) };
  if (!line.startsWith(begins.update)) throw unexpected(cursor, someFile);
  const path = pathIn(cursor, begins.update);
  const to = peek(cursor)?.startsWith(begins.move) === true ? pathIn(cursor, begins.move) : undefined;
  const hunks: Hunk[] = [];
  while (!endsFile(next(cursor))) hunks.push(readHunk(cursor));
  if (hunks.length === 0 && to === undefined) throw unexpected(cursor, "a hunk");
  return { kind: "update", patchLine, path, to, hunks };
}

/** Takes the line. */
function pathIn(cursor: Cursor, prefix: string): string {
  const path = peek(cursor)?.slice(prefix.length).trim() ?? "";
  if (path === "") throw unexpected(cursor, `a path after "${prefix.trim()}"`);
  cursor.at += 1;
  return path;
}

function readContent(cursor: Cursor): string {
  let content = "";
  for (let line = cursor.lines[cursor.at]; line?.startsWith("+") === true; line = cursor.lines[cursor.at]) {
    content += `${line.slice(1)}\n`;
    cursor.at += 1;
  }
  const following = next(cursor);
  if (!endsFile(following)) throw unexpected(cursor, `a line that begins with "+", or ${someFile}`);
  return content;
}

function readHunk(cursor: Cursor): Hunk {
  const patchLine = cursor.at + 1;
  const anchors: string[] = [];
  let oldStart: number | undefined;
  for (let line = peek(cursor); line?.startsWith("@@") === true; line = peek(cursor)) {
    const numbers = /^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@/.exec(line);
    const anchor = line.slice(2).replace(/ @@$/, "").trim();
    if (numbers !== null) oldStart = Number(numbers[1]);
    else if (anchor !== "" && anchor !== "@@" && anchor !== "...") anchors.push(anchor);
    cursor.at += 1;
  }
  const { lines, oldOpen, newOpen } = readBody(cursor, undefined, ({ lines, at }) =>
    /^(@@|\*\*\*)/.test(lines[at] ?? ""),
  );
  if (lines.length === 0) throw unexpected(cursor, 'a line of a hunk, which begins with " ", "-" or "+"');
  const atEnd = endOfFile.test(peek(cursor) ?? "");
  if (atEnd) cursor.at += 1;
  const following = peek(cursor);
  if (!atEnd && following !== undefined && !/^(@@|\*\*\* |\s*$)/.test(following)) {
    throw unexpected(cursor, 'a line that begins with " ", "-", "+" or "@@", or "*** End of File"');
  }
  return { patchLine, lines, anchors, oldStart, atEnd, oldOpen, newOpen };
}

function endsFile(line: string | undefined): boolean {
  if (line === undefined) return true;
  return endOfPatch.test(line) || [begins.add, begins.update, begins.remove].some((prefix) => line.startsWith(prefix));
}
