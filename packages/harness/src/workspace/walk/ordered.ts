/** The entries of a folder in order of their names, however many there are, in bounded memory. */

import { setImmediate } from "node:timers/promises";
import type { FolderEntry, Place } from "../place/place.ts";

/** So many names are held at most twice; a larger folder is read once for every so many. */
const runLength = 65_536;
/** After so many entries other work gets its turn, and an abort is seen. */
const pauseEvery = 4096;

/** Throws the system's error if the folder cannot be read, and the signal's reason when aborted. */
export async function* ordered(
  folder: Place,
  signal: AbortSignal,
  length: number = runLength,
): AsyncGenerator<FolderEntry> {
  let after = "";
  for (;;) {
    const run = await nextRun(folder, after, length, signal);
    yield* run;
    const last = run.at(-1);
    if (last === undefined || run.length < length) return;
    after = last.name;
  }
}

/** The first `length` names behind `after`. */
async function nextRun(folder: Place, after: string, length: number, signal: AbortSignal): Promise<FolderEntry[]> {
  const run: FolderEntry[] = [];
  let ceiling: string | undefined;
  let seen = 0;
  for (const entry of folder.entries()) {
    if (seen % pauseEvery === 0) {
      await setImmediate();
      signal.throwIfAborted();
    }
    seen += 1;
    if (entry.name <= after || (ceiling !== undefined && entry.name >= ceiling)) continue;
    run.push(entry);
    if (run.length < 2 * length) continue;
    ceiling = sortAndCut(run, length);
  }
  sortAndCut(run, length);
  return run;
}

/** Gives the last name that is left. */
function sortAndCut(run: FolderEntry[], length: number): string | undefined {
  run.sort((one, other) => (one.name < other.name ? -1 : 1));
  run.length = Math.min(run.length, length);
  return run.at(-1)?.name;
}
