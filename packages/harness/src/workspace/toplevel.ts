/** Where the repository around a project begins. */

import { existsSync, lstatSync, realpathSync } from "node:fs";
import path from "node:path";

/** The nearest folder strictly above the root, and below the ceiling if that stands above, that holds a .git, unless the root has its own. */
export function gitToplevel(root: string, ceiling?: string): string | undefined {
  const end = ceiling === undefined ? undefined : real(ceiling);
  for (let folder = root; folder !== end; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, ".git"))) return folder === root ? undefined : folder;
    if (folder === path.dirname(folder)) return undefined;
  }
  return undefined;
}

function real(folder: string): string | undefined {
  try {
    return realpathSync(folder);
  } catch {
    return undefined;
  }
}

/** The user ids of those who made the folder a repository. */
export function ownersOf(toplevel: string): number[] {
  return [toplevel, path.join(toplevel, ".git")].map((place) => lstatSync(place).uid);
}
