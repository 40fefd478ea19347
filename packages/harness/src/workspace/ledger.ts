/** What the model has been shown in this session, folded from its events. */

import type { Hash } from "./fence.ts";

/**
 * Lines really sent to the model (first and last, from 1); part of a tool's result, so that a session can be folded
 * back.
 */
export type Shown = { path: string; hash: Hash; from: number; to: number; via: "read" | "search" | "diff" | "write" };

export interface Ledger {
  /** Was this line of this file sent to the model? */
  has(path: string, line: number): boolean;
  /** Every file of which something was shown. */
  paths(): Iterable<string>;
}

export interface GrowingLedger extends Ledger {
  add(shown: Shown): void;
}

/** The lines shown of one version of a file: closed intervals, ascending, apart from each other by a line at least. */
type Seen = { hash: Hash; lines: readonly Interval[] };
type Interval = readonly [from: number, to: number];

/**
 * An empty ledger. What was shown of a file counts as long as nothing of another version is shown: a line of the old
 * file is no evidence for the new one, so after a change lines must be shown again.
 */
export function createLedger(): GrowingLedger {
  const seen = new Map<string, Seen>();
  return {
    add({ path, hash, from, to }) {
      const known = seen.get(path);
      seen.set(path, { hash, lines: merge(known?.hash === hash ? known.lines : [], [from, to]) });
    },
    has: (path, line) => seen.get(path)?.lines.some(([from, to]) => from <= line && line <= to) ?? false,
    paths: () => seen.keys(),
  };
}

function merge(lines: readonly Interval[], [from, to]: Interval): Interval[] {
  const before = lines.filter((interval) => interval[1] < from - 1);
  const after = lines.filter((interval) => interval[0] > to + 1);
  const joined = lines.slice(before.length, lines.length - after.length);
  const first = Math.min(from, ...joined.slice(0, 1).map((interval) => interval[0]));
  const last = Math.max(to, ...joined.slice(-1).map((interval) => interval[1]));
  return [...before, [first, last], ...after];
}
