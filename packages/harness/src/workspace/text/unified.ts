/** Hunks written as a unified diff, with the lines around them. */

import type { LineHunk } from "../change.ts";

const context = 3;

/** Lines end in \n, except perhaps the last of a file. Gives the parts of the text, to be joined. */
export function unified(old: readonly string[], young: readonly string[], hunks: readonly LineHunk[]): string[] {
  return groupsOf(hunks).flatMap((group) => written(old, young, group));
}

/** Hunks whose context would touch stand together. */
function groupsOf(hunks: readonly LineHunk[]): LineHunk[][] {
  const groups: LineHunk[][] = [];
  let end = -Infinity;
  for (const hunk of hunks) {
    const last = groups.at(-1);
    if (last !== undefined && hunk.from - end <= 2 * context) last.push(hunk);
    else groups.push([hunk]);
    end = hunk.from + hunk.removed;
  }
  return groups;
}

function written(old: readonly string[], young: readonly string[], group: readonly LineHunk[]): string[] {
  const [first, last] = [group[0], group.at(-1)];
  if (first === undefined || last === undefined) return [];
  const start = Math.max(1, first.from - context);
  const end = Math.min(old.length, last.from + last.removed - 1 + context);
  const lines: string[][] = [];
  let at = start;
  for (const { from, removed, to, added } of group) {
    lines.push(marked(" ", old.slice(at - 1, from - 1)));
    lines.push(marked("-", old.slice(from - 1, from - 1 + removed)));
    lines.push(marked("+", young.slice(to - 1, to - 1 + added)));
    at = from + removed;
  }
  lines.push(marked(" ", old.slice(at - 1, end)));
  const oldCount = end - start + 1;
  const newCount = oldCount + group.reduce((sum, { added, removed }) => sum + added - removed, 0);
  const newStart = first.to - (first.from - start);
  return [`@@ -${range(start, oldCount)} +${range(newStart, newCount)} @@\n`, ...lines.flat()];
}

/** Of no lines, the number is that of the line before. */
function range(start: number, count: number): string {
  if (count === 1) return `${start}`;
  return `${count === 0 ? start - 1 : start},${count}`;
}

function marked(mark: string, lines: readonly string[]): string[] {
  return lines.map((line) => mark + (line.endsWith("\n") ? line : `${line}\n\\ No newline at end of file\n`));
}
