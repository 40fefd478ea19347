/** What is a repository, and where the one around a project begins. */

import { lstatSync, readFileSync, statSync } from "node:fs";
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

/** The nearest repository strictly above the root, unless the root is one itself. */
export function gitToplevel(root: string): string | undefined {
  for (let folder = root; ; folder = path.dirname(folder)) {
    if (isRepository(folder)) return folder === root ? undefined : folder;
    if (folder === path.dirname(folder)) return undefined;
  }
}

/** The user ids of those who made the folder a repository. */
export function ownersOf(toplevel: string): number[] {
  return [toplevel, path.join(toplevel, ".git")].map((place) => lstatSync(place).uid);
}
