/** Changes of files as a person judges them: what becomes of which file, line by line. */

import type { Action, Landed } from "@croft/harness";
import { cutAt } from "./cut.ts";
import { escapeLine, escapeText } from "./escape.ts";
import type { Paint } from "./paint.ts";
import { isMixed, spelled } from "./scripts.ts";

type Changes = Extract<Action, { kind: "write" }>["changes"];
type Change = Changes[number];
/** A place as an action has it. */
type Place = Pick<Change, "asked" | "path" | "verdict">;

/** Lines of all diffs together, and characters of one line, before the rest is only counted. */
export type DiffLimits = { lines: number; characters: number };
export const usualLimits: DiffLimits = Object.freeze({ lines: 200, characters: 1_000 });
export const noLimits: DiffLimits = Object.freeze({ lines: Infinity, characters: Infinity });

/** Some lines, and how many more there would be: lines left out and lines that are cut. */
export type LimitedLines = { lines: readonly string[]; hidden: number };

/** Every file with its diff. */
export function changeLines(changes: Changes, paint: Paint, limits: DiffLimits): LimitedLines {
  const lines: string[] = [];
  let hidden = 0;
  for (const change of changes) {
    lines.push(`   ${change.change ?? "change"} ${placeText(change)}`);
    for (const line of change.diff.replace(/\n$/, "").split("\n")) {
      const isListed = lines.length < limits.lines;
      if (isListed) lines.push(`   ${diffLine(cutAt(line, limits.characters), paint)}`);
      if (!isListed || line.length > limits.characters) hidden += 1;
    }
  }
  return { lines, hidden };
}

/** Where it really is, where that was named otherwise both names, and why it is asked about at all. */
export function placeText({ asked, path = asked, verdict }: Place): string {
  const place = escapeLine(path);
  const notes = [
    ...(normal(asked) === path ? [] : [`named as ${escapeLine(asked)}`]),
    ...(isMixed(path) ? [`its letters come from several scripts: ${spelled(path)}`] : []),
    ...(verdict?.decision === "ask" ? [escapeLine(verdict.rule)] : []),
  ];
  return notes.length === 0 ? place : `${place} (${notes.join("; ")})`;
}

/** `changed a.ts (+3 -1)`. */
export function landedText({ path, before, after, hunks }: Landed): string {
  const added = hunks.reduce((sum, hunk) => sum + hunk.added, 0);
  const removed = hunks.reduce((sum, hunk) => sum + hunk.removed, 0);
  const done = before === null ? "created" : after === null ? "deleted" : "changed";
  return `${done} ${escapeLine(path)} (+${added} -${removed})`;
}

/** A line of a diff in the colour of its sign. */
export function diffLine(line: string, paint: Paint): string {
  const shown = escapeText(line);
  if (line.startsWith("+")) return paint.good(shown);
  return line.startsWith("-") ? paint.bad(shown) : paint.dim(shown);
}

/** As somebody means it who writes `./a//b`. */
function normal(path: string): string {
  return path
    .split("/")
    .filter((name) => name !== "" && name !== ".")
    .join("/");
}
