/**
 * Looks at every file that is not ignored, as fast as may be: one look at each, none opened. Folders are held and
 * entered one name at a time; no link is followed. Left out: git's own folder, installed packages, what is ignored, and
 * names that are not UTF-8.
 */

import { lstatSync, readdirSync, type Stats } from "node:fs";
import { foldName } from "../../policy/fold.ts";
import { pathIn, type Place } from "../place/place.ts";
import { ifReachable, kindOf } from "../place/system.ts";
import { createRests } from "../rests.ts";
import { ignoresBelow, ignoresIn, isIgnored, type Ignores, type Project } from "../walk/ignore.ts";

/** One entry that is not ignored; `folder` is held while it is visited. */
export type Visit = (path: string, found: Stats, folder: Place, name: string) => void;

/** Levels of folders; each holds a descriptor. */
const maxLevels = 256;

type Level = { folder: Place; names: readonly string[]; ignores: Ignores };

/** Parents before what they hold; else in no order. What cannot be entered is left out. Throws the signal's reason. */
export async function scan(top: Place, project: Project, visit: Visit, signal: AbortSignal): Promise<void> {
  const rests = createRests(signal);

  async function enter({ folder, names, ignores }: Level): Promise<void> {
    const below: string[] = [];
    const at = folder.systemPath();
    for (const entry of ifReachable(() => readdirSync(at, { withFileTypes: true })) ?? []) {
      const { name } = entry;
      if (rests.isDue()) await rests.take();
      const named = { names: [...names, name], isFolder: entry.isDirectory() };
      if (isLeftOut(name) || isIgnored(ignores, named)) continue;
      const found = lstatSync(`${at}/${name}`, { throwIfNoEntry: false });
      if (found === undefined) continue;
      visit(pathIn(folder.path, name), found, folder, name);
      if (kindOf(found) === "directory") below.push(name);
    }
    if (names.length - project.within.length >= maxLevels) return;
    for (const name of below) {
      const child = folder.child(name);
      try {
        if (child?.kind !== "directory") continue;
        await enter({ folder: child, names: [...names, name], ignores: ignoresBelow(ignores, child) });
      } finally {
        child?.release();
      }
    }
  }

  await enter({ folder: top, names: project.within, ignores: ignoresIn(project, []) });
}

function isLeftOut(name: string): boolean {
  if (name === "node_modules" || name.includes("\uFFFD")) return true;
  return [".git", "git~1"].includes(foldName(name));
}
