/** What is a repository, and where the one around a project begins. */

import { lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";

/** What stands in the `.git` file of a linked worktree is a path. */
const maxGitFileBytes = 8192;

/**
 * Whether git takes a folder for the top of a repository: its `.git` is a folder with a HEAD, or the file that stands
 * in a linked worktree or a submodule. Anything else git walks past as well. The path is taken as it is: `..` in it
 * leads where it leads.
 */
export function isRepository(folder: string): boolean {
  const git = `${folder}/.git`;
  try {
    const found = statSync(git);
    if (found.isDirectory()) return lstatSync(`${git}/HEAD`, { throwIfNoEntry: false }) !== undefined;
    return found.isFile() && found.size < maxGitFileBytes && readFileSync(git, "utf8").startsWith("gitdir:");
  } catch {
    return false;
  }
}

/**
 * The nearest repository strictly above the root, and below the ceiling if that stands above, unless the root is one
 * itself.
 */
export function gitToplevel(root: string, ceiling?: string): string | undefined {
  const end = ceiling === undefined ? undefined : real(ceiling);
  for (let folder = root; folder !== end; folder = path.dirname(folder)) {
    if (isRepository(folder)) return folder === root ? undefined : folder;
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
