/**
 * The folder in which sessions keep what commands printed. The oldest goes once there is too much; what a session that
 * lives may still be asked for stays: each has a mark in the folder, and what was written since the oldest mark is not
 * touched. The mark of a process that is gone counts for nothing and is removed.
 */

import { closeSync, lstatSync, openSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isLeftProcess, processName } from "../process/system/owner.ts";

/** `ms`: since the last writing. */
export type OutputLimits = { bytes: number; ms: number };

const day = 86_400_000;
const kept: OutputLimits = { bytes: 500_000_000, ms: 30 * day };

const prefix = "live-";
const isOutput = /^output-.*\.txt$/;

/** Marks it as in use until the disposal, and removes what is beyond the limits. Never throws: it is no reason to stop. */
export function claimOutputs(folder: string, limits: OutputLimits = kept): Disposable {
  const mark = join(folder, `${prefix}${processName()}`);
  try {
    closeSync(openSync(mark, "wx", 0o600));
    prune(folder, limits);
  } catch {
    // What is kept there later says itself that it cannot be.
  }
  return { [Symbol.dispose]: () => rmSync(mark, { force: true }) };
}

function prune(folder: string, limits: OutputLimits): void {
  const names = readdirSync(folder);
  const inUseSince = Math.min(...marksIn(folder, names).map(({ modified }) => modified));
  const newestFirst = filesOf(
    folder,
    names.filter((name) => isOutput.test(name)),
  ).toSorted((one, other) => other.modified - one.modified);
  let bytes = 0;
  for (const { path, size, modified } of newestFirst) {
    bytes += size;
    const isOld = bytes > limits.bytes || modified < Date.now() - limits.ms;
    if (isOld && modified < inUseSince) rmSync(path, { force: true });
  }
}

function marksIn(folder: string, names: readonly string[]): Found[] {
  const marks = names.filter((name) => name.startsWith(prefix));
  const left = new Set(marks.filter((name) => isLeftProcess(name.slice(prefix.length))));
  for (const name of left) rmSync(join(folder, name), { force: true });
  return filesOf(
    folder,
    marks.filter((name) => !left.has(name)),
  );
}

/** `modified`: in milliseconds. */
type Found = { path: string; size: number; modified: number };

/** What is gone meanwhile is left out. */
function filesOf(folder: string, names: readonly string[]): Found[] {
  return names.flatMap((name) => {
    const path = join(folder, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found === undefined ? [] : [{ path, size: found.size, modified: found.mtimeMs }];
  });
}
