/** What the model has been shown in this session, folded from its events. */

import type { Landed, LineHunk } from "./change.ts";
import type { Hash } from "./fence.ts";

/**
 * Lines really sent to the model (first and last, from 1); part of a tool's result, so that a session can be folded
 * back. Of a file that was read and has no lines, an image or an empty one, `from` is 1 and `to` is 0.
 */
export type Shown = { path: string; hash: Hash; from: number; to: number; via: Via };

/** report: an agent inside a call was shown them, and what it says of them was verified. */
export type Via = "read" | "search" | "diff" | "write" | "report";

/** current: the version that was read or written last. changed: another one was. */
export type Knowledge = "current" | "changed" | "never";

/** What the model has been shown of the project's files. */
export interface Ledger {
  /** Was this line of this file sent to the model? */
  has(path: string, line: number): boolean;
  /**
   * How this version of a file stands to what was read of it, by `read_file` and own writes alone: what a search or a
   * diff shows, or another agent reports, is no reading. One line read counts as the file read.
   */
  seen(path: string, hash: Hash): Knowledge;
  /** Every file of which something was shown. */
  paths(): Iterable<string>;
}

/** A ledger that learns what is shown from now on. */
export interface GrowingLedger extends Ledger {
  add(shown: Shown): void;
  /**
   * A file is changed by a tool: whoever had read the old version knows the new one too, and the lines that were shown
   * and still stand there are found at their new places. A file that was created counts as read.
   */
  landed(landed: Landed): void;
  /** Every file that a tool has changed, made or taken away. */
  changed(): Iterable<string>;
}

/** The lines shown of one version of a file: closed intervals, ascending, apart from each other by a line at least. */
type Seen = { hash: Hash; lines: readonly Interval[] };
type Interval = readonly [from: number, to: number];

/**
 * An empty ledger. What was shown of a file counts as long as nothing of another version is shown: a line of the old
 * file is no evidence for the new one, so after a change from outside lines must be shown again.
 */
export function createLedger(): GrowingLedger {
  const seen = new Map<string, Seen>();
  const read = new Map<string, Hash>();
  const changed = new Set<string>();
  return {
    add({ path, hash, from, to, via }) {
      const known = seen.get(path);
      seen.set(path, { hash, lines: merge(known?.hash === hash ? known.lines : [], [from, to]) });
      if (via === "read" || via === "write") read.set(path, hash);
    },
    landed({ path, before, after, hunks }) {
      changed.add(path);
      const known = seen.get(path);
      const knew = before === null || read.get(path) === before;
      if (after === null) {
        seen.delete(path);
        read.delete(path);
        return;
      }
      if (knew) read.set(path, after);
      if (known?.hash === before) seen.set(path, { hash: after, lines: movedBy(hunks, known.lines) });
    },
    has: (path, line) => seen.get(path)?.lines.some(([from, to]) => from <= line && line <= to) ?? false,
    seen(path, hash) {
      const known = read.get(path);
      if (known === undefined) return "never";
      return known === hash ? "current" : "changed";
    },
    paths: () => seen.keys(),
    changed: () => changed,
  };
}

/** What a tool's result tells a ledger: first what it changed, then what it showed of that. */
export function learn(
  ledger: GrowingLedger,
  { landed = [], shown = [] }: { landed?: readonly Landed[] | undefined; shown?: readonly Shown[] | undefined },
): void {
  for (const each of landed) ledger.landed(each);
  for (const each of shown) ledger.add(each);
}

/** Lines of the old file where they stand in the new one; those that were replaced are gone. */
function movedBy(hunks: readonly LineHunk[], lines: readonly Interval[]): Interval[] {
  let moved: Interval[] = [];
  let start = 1;
  let shift = 0;
  /** Between two hunks all lines move alike. */
  const keep = (end: number): void => {
    for (const [from, to] of lines) {
      const [first, last] = [Math.max(from, start), Math.min(to, end)];
      if (first <= last) moved = merge(moved, [first + shift, last + shift]);
    }
  };
  for (const { from, removed, added } of hunks) {
    keep(from - 1);
    start = from + removed;
    shift += added - removed;
  }
  keep(Number.POSITIVE_INFINITY);
  return moved;
}

function merge(lines: readonly Interval[], [from, to]: Interval): Interval[] {
  const before = lines.filter((interval) => interval[1] < from - 1);
  const after = lines.filter((interval) => interval[0] > to + 1);
  const joined = lines.slice(before.length, lines.length - after.length);
  const first = Math.min(from, ...joined.slice(0, 1).map((interval) => interval[0]));
  const last = Math.max(to, ...joined.slice(-1).map((interval) => interval[1]));
  return [...before, [first, last], ...after];
}
