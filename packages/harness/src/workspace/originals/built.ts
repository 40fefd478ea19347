/**
 * What builds and caches have left in a project, and whatever else git ignores: a check that goes by it may run something
 * else than what the project's files say. Nobody keeps a copy, but the system knows when each file changed.
 */

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { isBuilt, isInstalled } from "../../policy/check-files.ts";
import { pathIn, type Place } from "../place/place.ts";
import { ifReachable } from "../place/system.ts";
import { createRests } from "../rests.ts";
import { ignoresBelow, ignoresIn, isIgnored, type Ignores } from "../walk/ignore.ts";

/** By the file or folder in which it begins: the files. Paths relative to the root. */
export type Built = ReadonlyMap<string, readonly string[]>;

/** What croft has others put elsewhere while a check runs, so that nobody reads it here. */
const unread: ReadonlySet<string> = new Set(["__pycache__", ".pytest_cache"]);
/** Folders within one another; each is held open. */
const maxLevels = 128;

type Level = { folder: Place; names: readonly string[]; ignores: Ignores };

/**
 * Those that changed after a moment, in milliseconds of the system's clock: no program can set that time of a file. No
 * link is followed. Throws the signal's reason.
 */
export async function changedBuilt(top: Place, after: number, signal: AbortSignal): Promise<Built> {
  const built = new Map<string, string[]>();
  const rests = createRests(signal);

  /** All that lies in one place. */
  async function gather(above: Place, name: string, place: string): Promise<void> {
    if (rests.isDue()) await rests.take();
    if (unread.has(name) || above.path.split("/").length > maxLevels) return;
    const entry = above.child(name);
    try {
      if (entry?.kind === "directory")
        for (const { name } of ifReachable(() => [...entry.entries()]) ?? []) await gather(entry, name, place);
      else if (isAfter(above, name)) add(place, pathIn(above.path, name));
    } finally {
      entry?.release();
    }
  }

  function add(place: string, path: string): void {
    const files = built.get(place);
    if (files === undefined) built.set(place, [path]);
    else files.push(path);
  }

  function isAfter(folder: Place, name: string): boolean {
    return (lstatSync(join(folder.systemPath(), name), { throwIfNoEntry: false })?.ctimeMs ?? 0) > after;
  }

  async function look({ folder, names, ignores }: Level): Promise<void> {
    for (const { name, kind } of ifReachable(() => [...folder.entries()]) ?? []) {
      if (rests.isDue()) await rests.take();
      const isFolder = kind === "directory";
      const named = [...names, name];
      if (name === ".git" || named.length > maxLevels) continue;
      if (isFolder && isInstalled(name)) await below(folder, name, cachesIn);
      else if (isBuilt(name) || isIgnored(ignores, { names: named, isFolder }))
        await gather(folder, name, pathIn(folder.path, name));
      else if (isFolder)
        await below(folder, name, (child) =>
          look({ folder: child, names: named, ignores: ignoresBelow(ignores, child) }),
        );
    }
  }

  /** Beside installed packages, where tools keep what they have made. Some package managers keep packages in such folders. */
  async function cachesIn(folder: Place): Promise<void> {
    for (const { name, kind } of ifReachable(() => [...folder.entries()]) ?? []) {
      const isCache = kind === "directory" && /^\.(?!bin$|pnpm$|store$)/.test(name);
      if (isCache) await gather(folder, name, pathIn(folder.path, name));
    }
  }

  async function below(above: Place, name: string, enter: (folder: Place) => Promise<void>): Promise<void> {
    const folder = above.child(name);
    try {
      if (folder?.kind === "directory") await enter(folder);
    } finally {
      folder?.release();
    }
  }

  await look({ folder: top, names: [], ignores: ignoresIn({ top, within: [], release: () => undefined }, []) });
  return built;
}
