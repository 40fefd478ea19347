/** What a tool that changed files tells of it: each file, and the lines around every change as they stand now. */

import type { Committed, Landed } from "../../workspace/change.ts";
import type { Shown } from "../../workspace/ledger.ts";
import { showPath } from "../../workspace/text/show-path.ts";
import type { ToolResult } from "../tool.ts";
import { shortened } from "./cut.ts";

/** Lines of all diffs together, and characters of one line, that are sent. */
const maxLines = 120;
const maxLine = 300;

/** What of a diff was sent, in lines of the new file. */
type Told = { lines: string[]; shown: Shown[]; hidden: number };

export type Remarks = {
  /** What else is to be said. */
  notes?: readonly string[] | undefined;
  /** Files that came from elsewhere: their lines are not the model's own. */
  moved?: readonly string[] | undefined;
};

/**
 * `Changed a.ts (+3 -1)`, then the diff with line numbers of the new file: `12+<tab>text` is new, `-<tab>text` is gone,
 * `12<tab>text` stands beside them. The new lines count as shown even where they are not repeated, for the model wrote
 * them.
 */
export function changedResult(committed: readonly Committed[], { notes = [], moved = [] }: Remarks = {}): ToolResult {
  const lines: string[] = [];
  const shown: Shown[] = [];
  let room = maxLines;
  for (const file of committed) {
    const told = toldOf(file, room);
    room -= told.lines.length;
    lines.push(headline(file), ...told.lines);
    if (told.hidden > 0) lines.push(`(${told.hidden} more lines of the diff)`);
    if (!moved.includes(file.path)) shown.push(...written(file));
    shown.push(...told.shown);
  }
  return { content: [{ type: "text", text: [...lines, ...notes].join("\n") }], shown, landed: committed.map(landedOf) };
}

/** The lines around every change, without a word about where they are. */
export function linesAround(file: Committed): string[] {
  const { lines, hidden } = toldOf(file, maxLines);
  return hidden > 0 ? [...lines, `(${hidden} more lines of the diff)`] : lines;
}

/** `(+3 -1)`: lines that are new and gone. */
export function countsOf({ hunks }: Pick<Committed, "hunks">): string {
  const sum = (side: "added" | "removed"): number => hunks.reduce((total, hunk) => total + hunk[side], 0);
  return `(+${sum("added")} -${sum("removed")})`;
}

function headline({ path, before, after, hunks }: Committed): string {
  const done = before === null ? "Created" : after === null ? "Deleted" : "Changed";
  return `${done} ${showPath(path)} ${countsOf({ hunks })}`;
}

/** A new file is what was sent a moment ago, and a deleted one is gone: nothing of them is repeated. */
function toldOf({ path, before, after, diff }: Committed, room: number): Told {
  const told: Told = { lines: [], shown: [], hidden: 0 };
  if (before === null || after === null) return told;
  let line = 0;
  for (const text of diff.split("\n")) {
    const start = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(text)?.[1];
    if (start !== undefined) line = Number(start);
    const mark = text.charAt(0);
    if (line === 0 || !" +-".includes(mark) || mark === "") continue;
    if (told.lines.length >= room) told.hidden += 1;
    else {
      const isNow = mark !== "-";
      told.lines.push(`${isNow ? line : ""}${mark.trim()}\t${shortened(text.slice(1), maxLine)}`);
      if (isNow) extend(told.shown, { path, hash: after, from: line, to: line, via: "diff" });
    }
    if (mark !== "-") line += 1;
  }
  return told;
}

function extend(shown: Shown[], next: Shown): void {
  const last = shown.at(-1);
  if (last !== undefined && last.to === next.from - 1) last.to = next.to;
  else shown.push(next);
}

function written({ path, after, hunks }: Committed): Shown[] {
  if (after === null) return [];
  return hunks
    .filter(({ added }) => added > 0)
    .map(({ to, added }) => ({ path, hash: after, from: to, to: to + added - 1, via: "write" }));
}

function landedOf({ path, before, after, hunks }: Committed): Landed {
  return { path, before, after, hunks };
}
