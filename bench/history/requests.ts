/** A change as a model would ask for it: in edits, in a unified diff, in an envelope, written from what a model is shown. */

import type { LineChange } from "./changes.ts";

export type Call =
  | { tool: "edit_file"; old: string; new: string }
  | { tool: "apply_patch"; patch: string }
  /** Behind a line, from 1; 0 for the beginning. */
  | { tool: "insert"; after: number; text: string };

/** A patch, and each of its hunks: the old lines it shows, from line `at` (from 0) on, and what it changes of the file. */
export type Patch = { call: Call; hunks: readonly Hunk[] };
export type Hunk = { at: number; old: string[]; changes: readonly LineChange[] };

/** A text by its lines; open: the last has no line break. */
export type Text = { lines: string[]; isOpen: boolean };

/** Lines of context that a diff shows, as git does. */
const context = 3;
const mark = "\\ No newline at end of file";

export function textOf(view: string): Text {
  const lines = view.split("\n");
  const isOpen = lines.at(-1) !== "";
  if (!isOpen) lines.pop();
  return { lines, isOpen };
}

/**
 * Lines with their ends, so that a last line without one differs from the same line with one. Their places are those of
 * `textOf`.
 */
export function withEnds({ lines, isOpen }: Text): string[] {
  return lines.map((line, index) => (isOpen && index === lines.length - 1 ? line : `${line}\n`));
}

/** One edit for each change, with as much around it as makes it unique in the file as it is by then. */
export function asEdits(before: readonly string[], changes: readonly LineChange[]): Call[] {
  const calls: Call[] = [];
  let now = [...before];
  let moved = 0;
  for (const { from, to, lines } of changes) {
    const [start, end] = [from + moved, to + moved];
    const text = now.join("");
    for (let around = 0; ; around = around * 2 + 1) {
      const head = now.slice(Math.max(0, start - around), start).join("");
      const tail = now.slice(end, end + around).join("");
      const old = head + now.slice(start, end).join("") + tail;
      const isWhole = start - around <= 0 && end + around >= now.length;
      if (!isWhole && (old === "" || text.indexOf(old) !== text.lastIndexOf(old))) continue;
      calls.push({ tool: "edit_file", old, new: head + lines.join("") + tail });
      break;
    }
    now = now.toSpliced(start, end - start, ...lines);
    moved += lines.length - (to - from);
  }
  return calls;
}

/** Whole lines that were added, the last ones first, so that the numbers of the others hold; undefined for any other change. */
export function asInserts(changes: readonly LineChange[]): Call[] | undefined {
  const isAdded = ({ from, to, lines }: LineChange): boolean =>
    from === to && lines.every((line) => line.endsWith("\n"));
  if (!changes.every(isAdded)) return undefined;
  return changes.toReversed().map(({ from, lines }) => ({ tool: "insert", after: from, text: lines.join("") }));
}

/** Hunks with three lines of context; those that would touch are one. */
export function asUnified(path: string, before: readonly string[], changes: readonly LineChange[]): Patch {
  const bodies: string[] = [];
  const hunks: Hunk[] = [];
  let moved = 0;
  for (const group of grouped(changes, context * 2)) {
    const { from, to, body, hunk } = bodyOf(before, group, context);
    const added = group.reduce((sum, { from, to, lines }) => sum + lines.length - (to - from), 0);
    const [old, now] = [to - from, to - from + added];
    const oldStart = old === 0 ? from : from + 1;
    const newStart = now === 0 ? from + moved : from + moved + 1;
    hunks.push(hunk);
    bodies.push(`@@ -${oldStart},${old} +${newStart},${now} @@\n${body}`);
    moved += added;
  }
  return { call: { tool: "apply_patch", patch: `--- a/${path}\n+++ b/${path}\n${bodies.join("")}` }, hunks };
}

/** Sections with as much context as makes them unique, and no line numbers. */
export function asEnvelope(path: string, before: readonly string[], changes: readonly LineChange[]): Patch {
  const sections = grouped(changes, 0).map((group) => {
    for (let around = context; ; around *= 2) {
      const { from, to, body, hunk } = bodyOf(before, group, around);
      const isWhole = from === 0 && to === before.length;
      if (isWhole || placesOf(before, hunk.old).length === 1) return { hunk, body: `@@\n${body}` };
    }
  });
  const bodies = sections.map(({ body }) => body).join("");
  const patch = `*** Begin Patch\n*** Update File: ${path}\n${bodies}*** End Patch\n`;
  return { call: { tool: "apply_patch", patch }, hunks: sections.map(({ hunk }) => hunk) };
}

/** Where a stretch of lines stands in a file. */
export function placesOf(file: readonly string[], lines: readonly string[]): number[] {
  const [first] = lines;
  const places: number[] = [];
  if (first === undefined) return places;
  for (let at = file.indexOf(first); at !== -1; at = file.indexOf(first, at + 1)) {
    if (lines.every((line, index) => file[at + index] === line)) places.push(at);
  }
  return places;
}

/** Changes with no more than so many lines between them belong together. */
function grouped(changes: readonly LineChange[], gap: number): LineChange[][] {
  const groups: LineChange[][] = [];
  for (const change of changes) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && change.from - last.to <= gap) groups.at(-1)?.push(change);
    else groups.push([change]);
  }
  return groups;
}

type Body = { from: number; to: number; body: string; hunk: Hunk };

function bodyOf(before: readonly string[], group: readonly LineChange[], around: number): Body {
  const from = Math.max(0, (group[0]?.from ?? 0) - around);
  const to = Math.min(before.length, (group.at(-1)?.to ?? 0) + around);
  let body = "";
  let at = from;
  const write = (kind: string, lines: readonly string[]): void => {
    for (const line of lines) body += line.endsWith("\n") ? kind + line : `${kind}${line}\n${mark}\n`;
  };
  for (const change of group) {
    write(" ", before.slice(at, change.from));
    write("-", before.slice(change.from, change.to));
    write("+", change.lines);
    at = change.to;
  }
  write(" ", before.slice(at, to));
  return { from, to, body, hunk: { at: from, old: before.slice(from, to), changes: group } };
}
