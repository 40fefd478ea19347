/**
 * The walker. Each folder is opened relative to the one it was found in, which is held, and never through a link:
 * swapping folders meanwhile can hide entries but not lead the walk outside. Held at a time: the folders from the start
 * down to the current one, and a bounded run of names of each.
 */

import type { Policy } from "../../policy/policy.ts";
import type { Done, Entry, ListOptions } from "../fence.ts";
import { wantedBy } from "./glob-filter.ts";
import { ignoresBelow, ignoresIn, isIgnored, type Ignores, type Project } from "./ignore.ts";
import { createRests } from "../rests.ts";
import { countLeftOut, type LeftOut } from "./left-out.ts";
import { ordered } from "./ordered.ts";
import { pathIn, type FolderEntry, type Place } from "../place/place.ts";

/** Bounds the descriptors held at a time. */
const maxLevels = 256;

export type Walk = {
  readonly folder: Place;
  readonly options: ListOptions;
  readonly policy: Policy;
  readonly project: Project;
};

/** A folder on the way down. `names` lead to it from the project's top. */
type Level = {
  readonly folder: Place;
  readonly names: readonly string[];
  readonly ignores: Ignores;
  readonly entries: AsyncGenerator<FolderEntry>;
};

/** Entries in path order, then one `done`. Throws E_BAD_GLOB, the system's error for the start, the signal's reason. */
export async function* walk(
  { folder, options, policy, project }: Walk,
  signal: AbortSignal,
): AsyncGenerator<Entry | Done> {
  const wanted = wantedBy(options);
  const maxDepth = Math.min(options.depth ?? Infinity, maxLevels);
  const leftOut = countLeftOut();
  const start = startLevel(folder, project, signal);
  const levels = [start];
  const rests = createRests(signal);
  try {
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      const found = await nextEntry(level, level === start ? undefined : leftOut, signal);
      if (found === undefined) {
        levels.pop();
        if (level !== start) level.folder.release();
        continue;
      }
      // Ignore files can make every entry slow to judge.
      if (rests.isDue()) await rests.take();
      const entry: Entry = { path: pathIn(level.folder.path, found.name), kind: found.kind };
      const names = [...level.names, found.name];
      if (!isShown(entry, names, { ignores: level.ignores, policy, options, leftOut })) continue;
      if (wanted(names.slice(start.names.length), entry.kind === "directory")) yield entry;
      if (entry.kind !== "directory") continue;
      if (levels.length < maxDepth) {
        const below = enter(level, found.name, signal);
        if (below === undefined) leftOut.missing("unreadable", entry.path);
        else levels.push(below);
      } else if (maxDepth === maxLevels) {
        leftOut.missing("tooDeep", entry.path);
      }
    }
    yield leftOut.done();
  } finally {
    for (const level of levels) if (level !== start) level.folder.release();
  }
}

type Sieve = Pick<Walk, "policy" | "options"> & { readonly ignores: Ignores; readonly leftOut: LeftOut };

/** What is denied is not even counted. */
function isShown(entry: Entry, names: readonly string[], { policy, options, ignores, leftOut }: Sieve): boolean {
  if (policy.judge(entry.path, "list").decision === "deny") return false;
  if (entry.path.includes("\uFFFD")) {
    leftOut.missing("undecodable", entry.path);
    return false;
  }
  if (options.hidden === false && names.at(-1)?.startsWith(".") === true) {
    leftOut.hidden();
    return false;
  }
  if (options.ignored === true || !isIgnored(ignores, { names, isFolder: entry.kind === "directory" })) return true;
  leftOut.ignored();
  return false;
}

function startLevel(folder: Place, project: Project, signal: AbortSignal): Level {
  const below = folder.path === "." ? [] : folder.path.split("/");
  return {
    folder,
    names: [...project.within, ...below],
    ignores: ignoresIn(project, below),
    entries: ordered(folder, signal),
  };
}

/** Undefined if it is gone, may not be entered, or is no folder any more. */
function enter(level: Level, name: string, signal: AbortSignal): Level | undefined {
  const folder = level.folder.child(name);
  if (folder?.kind !== "directory") {
    folder?.release();
    return undefined;
  }
  return {
    folder,
    names: [...level.names, name],
    ignores: ignoresBelow(level.ignores, folder),
    entries: ordered(folder, signal),
  };
}

/** Undefined at the end. A folder that cannot be read ends too, and is noted where there is a note to make it in. */
async function nextEntry(
  level: Level,
  leftOut: LeftOut | undefined,
  signal: AbortSignal,
): Promise<FolderEntry | undefined> {
  try {
    const { value, done } = await level.entries.next();
    return done === true ? undefined : value;
  } catch (thrown) {
    signal.throwIfAborted();
    if (leftOut === undefined) throw thrown;
    leftOut.missing("unreadable", level.folder.path);
    return undefined;
  }
}
