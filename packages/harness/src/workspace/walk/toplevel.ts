/** Where the repository around a project begins. */

import { existsSync, lstatSync } from "node:fs";
import path from "node:path";

/** The nearest folder strictly above the root that holds a .git, unless the root has its own. */
export function gitToplevel(root: string): string | undefined {
  for (let folder = root; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, ".git"))) return folder === root ? undefined : folder;
    if (folder === path.dirname(folder)) return undefined;
  }
}

/** The user ids of those who made the folder a repository. */
export function ownersOf(toplevel: string): number[] {
  return [toplevel, path.join(toplevel, ".git")].map((place) => lstatSync(place).uid);
}
