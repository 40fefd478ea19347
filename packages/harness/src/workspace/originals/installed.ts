/** What was changed among installed packages: nobody keeps a copy of those, but the system knows when each file changed. */

import { lstatSync, readdirSync, type Dirent } from "node:fs";
import { join, relative } from "node:path";
import { isInstalled } from "../../policy/check-files.ts";
import { ifReachable } from "../place/system.ts";
import { createRests } from "../rests.ts";

/**
 * Folders of programs and of caches, which are looked at for themselves. Packages of some package managers lie in hidden
 * ones, too.
 */
const beside = /^\.(?!pnpm$|store$).*$/;
const compiled = "__pycache__";

/** installed: where what is installed begins. */
type At = "project" | "installed" | "package";

/**
 * Paths of files, relative to `root`, that changed after a moment, in milliseconds of the system's clock: no program can
 * set that time of a file. `code`: files and folders elsewhere that count as installed, absolute. No link is followed.
 * Throws the signal's reason.
 */
export async function changedInstalled(
  root: string,
  { after, code = [] }: { after: number; code?: readonly string[] | undefined },
  signal: AbortSignal,
): Promise<string[]> {
  const changed: string[] = [];
  const rests = createRests(signal);

  async function enter(folder: string, at: At): Promise<void> {
    const entries: Dirent[] = ifReachable(() => readdirSync(join(root, folder), { withFileTypes: true })) ?? [];
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!isSkipped(entry.name, at)) await enter(path, belowOf(entry.name, at));
      } else if (at !== "project" && (lstatSync(join(root, path), { throwIfNoEntry: false })?.ctimeMs ?? 0) > after) {
        changed.push(path);
      }
      if (rests.isDue()) await rests.take();
    }
  }

  /** A file, or a folder of nothing else. */
  async function see(path: string): Promise<void> {
    const found = lstatSync(join(root, path), { throwIfNoEntry: false });
    if (found?.isDirectory() === true) await enter(path, "package");
    else if (found !== undefined && found.ctimeMs > after) changed.push(path);
  }

  await enter("", "project");
  for (const place of code) await see(relative(root, place));
  return changed.toSorted();
}

function isSkipped(name: string, at: At): boolean {
  if (at === "project") return name === ".git" || name === "target";
  return name === compiled || (at === "installed" && beside.test(name));
}

function belowOf(name: string, at: At): At {
  if (at === "project") return isInstalled(name) ? "installed" : "project";
  return "package";
}
