/** Whether a repository can be left where a command made it: nothing in it makes git run a program. */

import { contentOf, maxFileBytes } from "../place/content.ts";
import type { Place } from "../place/place.ts";

/** Settings that say what there is and where, by section. What git would do with any other is not asked. */
const harmless: Readonly<Record<string, readonly string[]>> = {
  core: [
    "repositoryformatversion",
    "filemode",
    "bare",
    "logallrefupdates",
    "ignorecase",
    "precomposeunicode",
    "symlinks",
  ],
  extensions: ["objectformat", "refstorage", "compatobjectformat"],
  init: ["defaultbranch"],
  user: ["name", "email"],
  remote: ["url", "pushurl", "fetch", "tagopt"],
  branch: ["remote", "merge", "rebase"],
};

/** Taken line by line, and only as git itself writes them: two readers that differ are a way around one of them. */
const sectionLine = /^\[([a-z]+)(?: "[^"\\\]]+")?\]$/;
const settingLine = /^\s*([a-z]+) = [^\\"]*$/i;

/** What leads git to settings, hooks or objects elsewhere. */
const ledElsewhere = ["config.worktree", "commondir", "gitdir", "modules", "worktrees", "remotes"];

/** `folder`: a `.git`, or a folder that is itself a repository. */
export function isAsGitMakesIt(folder: Place): boolean {
  if (folder.kind !== "directory") return false;
  return (
    ledElsewhere.every((name) => !has(folder, name)) &&
    within(folder, "config", (config) => config === undefined || isHarmless(config)) &&
    within(folder, "hooks", (hooks) => onlyHas(hooks, (name) => name.endsWith(".sample"))) &&
    within(folder, "branches", (branches) => onlyHas(branches, () => false)) &&
    within(folder, "info", (info) => onlyHas(info, (name) => name === "exclude" || name === "refs")) &&
    within(folder, "objects", (objects) =>
      objects === undefined
        ? true
        : within(objects, "info", (info) =>
            onlyHas(info, (name) => name === "packs" || name.startsWith("commit-graph")),
          ),
    )
  );
}

function isHarmless(config: Place): boolean {
  if (config.kind !== "file" || config.size > maxFileBytes) return false;
  let allowed: readonly string[] = [];
  for (const line of new TextDecoder().decode(contentOf(config)).split("\n")) {
    if (line === "") continue;
    const section = sectionLine.exec(line)?.[1];
    if (section !== undefined) allowed = harmless[section] ?? [];
    else if (!allowed.includes(settingLine.exec(line)?.[1]?.toLowerCase() ?? "")) return false;
  }
  return true;
}

function onlyHas(folder: Place | undefined, expected: (name: string) => boolean): boolean {
  if (folder === undefined) return true;
  return folder.kind === "directory" && [...folder.entries()].every(({ name }) => expected(name));
}

function has(folder: Place, name: string): boolean {
  return within(folder, name, (found) => found !== undefined);
}

function within<Result>(folder: Place, name: string, look: (found: Place | undefined) => Result): Result {
  const found = folder.child(name);
  try {
    return look(found);
  } finally {
    found?.release();
  }
}
