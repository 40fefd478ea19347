/**
 * Which places of a repository a command may write to, and what must not appear in it. In the profile "git" the
 * contents of `.git` can be written, but not what git runs or takes its settings from.
 */

import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Failure } from "../../error.ts";
import type { Profile } from "../../process/enclosure.ts";
import type { Held } from "../../process/guard.ts";
import { settingOf, withoutCredentials } from "./git-config.ts";
import { namedByGit, settingsIn } from "./git-names.ts";

export type RepositoryPlaces = {
  readonly held: readonly Held[];
  /** May not appear. Looked for below `folder` without following links. */
  readonly absent: readonly Absent[];
  /** Git's list of tracked files; undefined where there is none. */
  readonly index: string | undefined;
};

export type Absent = { readonly folder: string; readonly path: string };

/** What git runs, reads settings from, or is led elsewhere by. */
const protectedNames = [
  "hooks",
  "config",
  "config.worktree",
  "info",
  "commondir",
  "objects/info/alternates",
  "objects/info/http-alternates",
  "modules",
  "worktrees",
  "branches",
  "remotes",
];
/** Of the folder that a linked worktree has within the repository. */
const protectedInWorktree = ["config.worktree", "commondir", "gitdir", "hooks", "info"];

/** `own` and `common` differ in a linked worktree. */
type Repository = { readonly own: string; readonly common: string };

/** Throws E_UNPROTECTABLE where `.git` is something that git did not make. */
export function repositoryPlaces(root: string, profile: Profile): RepositoryPlaces {
  const git = join(root, ".git");
  const found = lstatSync(git, { throwIfNoEntry: false });
  if (found === undefined) return { held: [], absent: [], index: undefined };
  if (!found.isDirectory() && !found.isFile()) throw odd("is neither a folder nor a file");
  const { own, common } = found.isDirectory() ? mainRepository(git) : linkedRepository(root, git);
  const configFile = join(common, "config");
  const linked = own !== git;
  const inner = [
    ...places(common, protectedNames),
    ...(linked ? places(own, protectedInWorktree) : []),
    ...places(root, namedByGit(root, configFile)),
  ];
  const writable = profile === "git";
  const held: Held[] = [
    { path: git, folder: !linked, hold: !linked && writable ? "writable" : "read-only" },
    ...(linked
      ? [common, own].map((path): Held => ({ path, folder: true, hold: writable ? "writable" : "read-only" }))
      : []),
    ...inner.flatMap(({ held }) => held).map((place) => (place.path === configFile ? withoutSecrets(place) : place)),
  ];
  return { held, absent: inner.flatMap(({ absent }) => absent), index: join(own, "index") };
}

/**
 * Files of the project that git's settings name, relative to the root: what stands in them, git will run
 * or obey outside of any sandbox. None where `.git` is something that git did not make: nothing is run there either.
 */
export function filesGitNames(folder: string): string[] {
  try {
    const root = realpathSync(folder);
    const git = join(root, ".git");
    const found = lstatSync(git);
    return namedByGit(
      root,
      join((found.isDirectory() ? mainRepository(git) : linkedRepository(root, git)).common, "config"),
    );
  } catch {
    return [];
  }
}

function mainRepository(git: string): Repository {
  if (lstatSync(join(git, "commondir"), { throwIfNoEntry: false }) !== undefined) throw odd("has a commondir");
  return { own: git, common: git };
}

/**
 * Where the `.git` file of a worktree or a submodule leads. Anybody can write such a file, so what it names must name
 * this project in turn.
 */
function linkedRepository(root: string, git: string): Repository {
  try {
    const own = pathIn(git, root, /^gitdir: (.+)$/m);
    if (!lstatSync(join(own, "commondir"), { throwIfNoEntry: false })?.isFile()) {
      const worktree = settingOf(settingsIn(join(own, "config")), "core", "worktree");
      if (worktree !== undefined && realpathSync(resolve(own, worktree)) === root) return { own, common: own };
      throw odd("leads to a repository that does not know this folder");
    }
    const common = pathIn(join(own, "commondir"), own, /^(.+)$/m);
    const back = pathIn(join(own, "gitdir"), own, /^(.+)$/m);
    if (dirname(own) === join(common, "worktrees") && back === git) return { own, common };
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    throw odd("leads to no repository");
  }
  throw odd("leads to a repository that does not know this folder");
}

function pathIn(file: string, base: string, pattern: RegExp): string {
  const [, path] = pattern.exec(readFileSync(file, "utf8")) ?? [];
  if (path === undefined) throw odd("cannot be read");
  return realpathSync(resolve(base, path.trim()));
}

/** What is there is held, what is not may not appear. */
function places(folder: string, names: readonly string[]): { held: Held[]; absent: Absent[] }[] {
  return names.map((name) => {
    const path = join(folder, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return { held: [], absent: [{ folder, path: name }] };
    if (found.isSymbolicLink() || !isReal(dirname(path))) throw odd(`has a link in the place of ${name}`);
    return { held: [{ path, folder: found.isDirectory(), hold: "read-only" }], absent: [] };
  });
}

/** Commands read git's settings, but not the tokens in them. */
function withoutSecrets(config: Held): Held {
  const text = textOf(config.path);
  const content = withoutCredentials(text);
  return content === text ? config : { ...config, content };
}

function isReal(folder: string): boolean {
  return realpathSync(folder) === folder;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function odd(what: string): Failure {
  return new Failure("E_UNPROTECTABLE", `The .git of this project ${what}, so it cannot be protected from commands.`, {
    remedy: "Look at it, and set it right with git; until then each command is asked about and runs unprotected.",
  });
}
