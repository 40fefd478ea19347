/**
 * The places of a project where the policy changes, found by a walk over all of it: what is ignored and hidden too,
 * links not followed. A folder is read again only once it has changed.
 */

import { statSync } from "node:fs";
import type { Policy } from "../../policy/policy.ts";
import type { Kind } from "../fence.ts";
import { pathIn, type FolderEntry, type Place } from "../place/place.ts";
import { ifReachable } from "../place/system.ts";
import { createRests } from "../rests.ts";
import { opened } from "./opened.ts";

/** What is not allowed outright is not allowed to a command: there is nobody to ask inside the kernel. */
export type Access = { readonly read: boolean; readonly write: boolean };

/**
 * A place with other access than the folder it lies in. `path` is relative to the root, "." the root itself.
 * `repository`: the folder of git's that it is, or lies in, for what git runs or takes settings from.
 */
export type Border = Access & { readonly path: string; readonly kind: Kind; readonly repository?: string };

export type Scanned = {
  /** In the order of a walk: a folder before what lies in it. */
  readonly borders: Border[];
  /** Names that are not UTF-8, of what would have to be protected: there is no way to name it to the system. */
  readonly unnameable: readonly string[];
};

export type Scanner = {
  /** Throws the signal's reason. */
  scan(top: Place, signal: AbortSignal): Promise<Scanned>;
};

/** Of installed packages, which hold public keys for tests and are written by package managers. */
const installed: ReadonlySet<string> = new Set(["node_modules", "site-packages"]);

/** A change this soon after another may bear the same time. */
const clockTick = 100_000_000n;
const maxLevels = 256;

type Folder = { readonly name: string; readonly access: Access };
/** `stamp`: undefined where the folder may since have changed without a trace. */
type Known = {
  stamp: string | undefined;
  folders: readonly Folder[];
  borders: readonly Border[];
  unnameable: readonly string[];
};
type Level = { place: Place; access: Access; rest: Folder[]; shut: Disposable };

export function scanner(policy: Policy): Scanner {
  let known = new Map<string, Known>();
  return {
    async scan(top, signal) {
      const seen = new Map<string, Known>();
      const root = border(policy, ".", top.kind, { read: true, write: true });
      const borders = root === undefined ? [] : [root];
      const unnameable: string[] = [];
      const levels: Level[] = [];
      const enter = (place: Place, access: Access): void => {
        const level: Level = { place, access, rest: [], shut: opened(place) };
        levels.push(level);
        const content = lookInto(place, access, known.get(place.path), policy);
        seen.set(place.path, content);
        for (const one of content.borders) borders.push(one);
        for (const path of content.unnameable) unnameable.push(path);
        level.rest = content.folders.toReversed();
      };
      const leave = ({ place, shut }: Level): void => {
        shut[Symbol.dispose]();
        if (place !== top) place.release();
      };
      const rests = createRests(signal);
      try {
        enter(top, root ?? { read: true, write: true });
        for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
          const next = levels.length < maxLevels ? level.rest.pop() : undefined;
          if (next === undefined) {
            levels.pop();
            leave(level);
            continue;
          }
          const place = level.place.child(next.name);
          if (place?.kind === "directory") enter(place, next.access);
          else place?.release();
          if (rests.isDue()) await rests.take();
        }
      } finally {
        for (const level of levels.toReversed()) leave(level);
      }
      known = seen;
      return { borders, unnameable };
    },
  };
}

function lookInto(place: Place, access: Access, before: Known | undefined, policy: Policy): Known {
  const stats = statSync(place.systemPath(), { bigint: true });
  const stamp = `${stats.dev}:${stats.ino}:${stats.ctimeNs}`;
  if (before?.stamp === stamp) return before;
  const settled = BigInt(Date.now()) * 1_000_000n - stats.ctimeNs > clockTick;
  const folders: Folder[] = [];
  const borders: Border[] = [];
  const unnameable: string[] = [];
  // A folder that croft may not list, a command may not either.
  const entries = ifReachable(() => [...place.entries()]) ?? [];
  const repository = isRepository(entries);
  for (const { name, kind } of entries) {
    const path = pathIn(place.path, name);
    if (kind === "directory" && installed.has(name)) continue;
    const found =
      repository && obeyedByGit.has(name) && access.write
        ? { path, kind, read: access.read, write: false, repository: place.path }
        : border(policy, path, kind, access);
    if (found !== undefined) borders.push(found);
    if (kind === "directory" && name !== ".git") folders.push({ name, access: found ?? access });
    if (name.includes("\uFFFD") && (kind === "directory" || found !== undefined)) unnameable.push(path);
  }
  return { stamp: settled ? stamp : undefined, folders, borders, unnameable };
}

/** What git runs or takes settings from, in a folder that is a repository itself. */
const obeyedByGit: ReadonlySet<string> = new Set(["HEAD", "config", "config.worktree", "commondir", "hooks"]);

/** By what git takes a folder for a repository without any `.git`: whoever uses git there obeys its settings. */
function isRepository(entries: readonly FolderEntry[]): boolean {
  const names = new Set(entries.map(({ name }) => name));
  return names.has("HEAD") && names.has("objects") && names.has("refs");
}

/** Undefined where the access is that of the folder around it. */
function border(policy: Policy, path: string, kind: Kind, around: Access): Border | undefined {
  const access = accessTo(policy, path);
  if (access.read === around.read && access.write === around.write) return undefined;
  return { path, kind, ...access, ...(isGits(path) ? { repository: path } : {}) };
}

/**
 * What a command in the sandbox may do with a path, whether it is there or not: what a scan would find. Links and what
 * git has for itself in `.git` aside.
 */
export function commandAccess(policy: Policy, path: string): Access {
  let access = accessTo(policy, ".");
  const names = path === "." || path === "" ? [] : path.split("/");
  for (const [index, name] of names.entries()) {
    if (installed.has(name) || (index > 0 && names[index - 1] === ".git")) return access;
    access = accessTo(policy, names.slice(0, index + 1).join("/"));
  }
  return access;
}

/** Git must be able to read what is its own; what cannot be read cannot be written either. */
function accessTo(policy: Policy, path: string): Access {
  if (isGits(path)) return { read: true, write: false };
  const read = policy.judge(path, "read").decision === "allow";
  return { read, write: read && policy.judge(path, "write").decision === "allow" };
}

function isGits(path: string): boolean {
  return path === ".git" || path.endsWith("/.git");
}
