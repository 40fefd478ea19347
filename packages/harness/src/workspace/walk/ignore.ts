/**
 * Which entries git would leave out. In each folder the rules of the folder itself come before those of the folders
 * above; .ignore (which ripgrep and others read) comes before .gitignore, and .git/info/exclude last. A folder with a
 * .git of its own is a project of its own: no .gitignore from above it counts there. Outside git, .gitignore counts all
 * the same.
 */

import { contentOf } from "../place/content.ts";
import { judgeIgnored, parseIgnoreFile, type IgnoreRules, type Named } from "./ignore-file.ts";
import type { Place } from "../place/place.ts";
import { ifReachable } from "../place/system.ts";

/**
 * Where ignore files begin to count: git's folder around the root, or the root itself; `within` leads from it to the
 * root.
 */
export type Project = { readonly top: Place; readonly within: readonly string[]; release(): void };

/** The ignore rules that hold in one folder. */
export type Ignores = {
  readonly above: Ignores | undefined;
  /** How many names lead from the project's top to this folder. */
  readonly depth: number;
  readonly ignore: IgnoreRules;
  readonly gitignore: IgnoreRules;
  /** Present in the top folder of a repository. */
  readonly exclude: IgnoreRules | undefined;
};

/**
 * The rules in a folder, given by the names that lead to it from the root. Links are not followed; where a folder is
 * gone, the rules from above it hold.
 */
export function ignoresIn(project: Project, folder: readonly string[]): Ignores {
  let ignores = ignoresBelow(undefined, project.top);
  let place = project.top;
  try {
    for (const name of [...project.within, ...folder]) {
      const child = place.child(name);
      if (child === undefined) break;
      if (place !== project.top) place.release();
      place = child;
      ignores = ignoresBelow(ignores, place);
    }
    return ignores;
  } finally {
    if (place !== project.top) place.release();
  }
}

/** The rules in a folder, given those in the folder above it. */
export function ignoresBelow(above: Ignores | undefined, folder: Place): Ignores {
  return {
    above,
    depth: above === undefined ? 0 : above.depth + 1,
    ignore: readRules(folder, ".ignore"),
    gitignore: readRules(folder, ".gitignore"),
    exclude: readExclude(folder),
  };
}

/** `names` lead from the project's top to an entry of the folder the rules were made for. */
export function isIgnored(ignores: Ignores, { names, isFolder }: Named): boolean {
  const judge = (rules: IgnoreRules, depth: number) =>
    rules.length === 0 ? undefined : judgeIgnored(rules, { names: names.slice(depth), isFolder });
  for (let level: Ignores | undefined = ignores; level !== undefined; level = level.above) {
    const verdict = judge(level.ignore, level.depth);
    if (verdict !== undefined) return verdict;
  }
  for (let level: Ignores | undefined = ignores; level !== undefined; level = level.above) {
    const verdict = judge(level.gitignore, level.depth);
    if (verdict !== undefined) return verdict;
    if (level.exclude !== undefined) return judge(level.exclude, level.depth) ?? false;
  }
  return false;
}

/**
 * Undefined unless the folder has a .git; in a worktree or submodule that is a file, and its exclude file is not looked
 * for.
 */
function readExclude(folder: Place): IgnoreRules | undefined {
  const git = folder.child(".git");
  if (git === undefined) return undefined;
  const info = git.kind === "directory" ? git.child("info") : undefined;
  try {
    return info?.kind === "directory" ? readRules(info, "exclude") : [];
  } finally {
    info?.release();
    git.release();
  }
}

/** More than this is no ignore file written by a person. */
const maxBytes = 1 << 20;

function readRules(folder: Place, name: string): IgnoreRules {
  const file = folder.child(name);
  try {
    if (file?.kind !== "file" || file.size > maxBytes) return [];
    const content = ifReachable(() => contentOf(file));
    return content === undefined ? [] : parseIgnoreFile(new TextDecoder().decode(content));
  } finally {
    file?.release();
  }
}
