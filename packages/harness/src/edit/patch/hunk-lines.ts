/** The lines of one hunk, which both forms of a patch write alike. */

import { badPatch, type Cursor, type Hunk, type HunkLine } from "./patch.ts";

/** How many lines of the old and of the new file a hunk says it has. */
export type Counts = { old: number; new: number };
export type Body = Pick<Hunk, "lines" | "oldOpen" | "newOpen">;

const noNewline = /^\\ /;

/**
 * Reads as many lines as the hunk says it has, if that is so, and otherwise all that look like lines of a hunk. An empty
 * line is a context line whose blank has been cut off. `ends` tells a line that begins something else. `isCounted`: it
 * has as many lines as it says. Throws E_BAD_PATCH.
 */
export function readBody(
  cursor: Cursor,
  counts: Counts | undefined,
  ends: (cursor: Cursor) => boolean,
): Body & { isCounted: boolean } {
  const start = cursor.at;
  if (counts !== undefined) {
    const counted = take(cursor, (done) => done.old >= counts.old && done.new >= counts.new);
    const { old, new: added } = counted.done;
    if (old === counts.old && added === counts.new && !goesOn(cursor, ends))
      return { ...counted.body, isCounted: true };
    cursor.at = start;
  }
  const { body, bare } = take(cursor, () => ends(cursor));
  // Empty lines behind a hunk stand between it and what follows.
  return { ...body, lines: body.lines.slice(0, body.lines.length - bare), isCounted: false };
}

/** Whether more lines of the same hunk seem to follow. The line "-- " begins the signature of a mailed patch. */
function goesOn(cursor: Cursor, ends: (cursor: Cursor) => boolean): boolean {
  const next = cursor.lines[cursor.at];
  return next !== undefined && /^[-+ ]/.test(next) && next !== "-- " && !ends(cursor);
}

/** `bare`: so many lines at the end are entirely empty in the patch. */
type Taken = { body: Body; done: Counts; bare: number };

function take(cursor: Cursor, isDone: (done: Counts) => boolean): Taken {
  const lines: HunkLine[] = [];
  const done: Counts = { old: 0, new: 0 };
  let oldOpen = false;
  let newOpen = false;
  let bare = 0;
  for (let next = cursor.lines[cursor.at]; next !== undefined; next = cursor.lines[cursor.at]) {
    const last = lines.at(-1);
    if (noNewline.test(next) && last !== undefined) {
      oldOpen ||= last.kind !== "+";
      newOpen ||= last.kind !== "-";
      cursor.at += 1;
      continue;
    }
    if (isDone(done)) break;
    const isBare = next === "" || next === "\r";
    const kind = isBare ? " " : next[0];
    if (kind !== " " && kind !== "-" && kind !== "+") break;
    if ((oldOpen && kind !== "+") || (newOpen && kind !== "-")) {
      throw badPatch(cursor.at + 1, "expected the end of the hunk after a last line without a newline");
    }
    lines.push({ kind, text: isBare ? next : next.slice(1) });
    bare = isBare ? bare + 1 : 0;
    if (kind !== "+") done.old += 1;
    if (kind !== "-") done.new += 1;
    cursor.at += 1;
  }
  // With a mark behind them, the last lines of a file may well be empty.
  return { body: { lines, oldOpen, newOpen }, done, bare: oldOpen || newOpen ? 0 : bare };
}
