/**
 * The places of a project where the policy changes, found by a walk over all of it: what is ignored and hidden too,
 * links not followed. A folder is read again only once it has changed.
 */

import { statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { Failure } from "../../error.ts";
import type { Policy } from "../../policy/policy.ts";
import type { Kind } from "../fence.ts";
import { pathIn, type Place } from "../place/place.ts";
import { ifReachable } from "../place/system.ts";
import { quoted } from "../text/show-path.ts";

/** What is not allowed outright is not allowed to a command: there is nobody to ask inside the kernel. */
export type Access = { readonly read: boolean; readonly write: boolean };

/** A place with other access than the folder it lies in. `path` is relative to the root, "." the root itself. */
export type Border = Access & { readonly path: string; readonly kind: Kind };

export type Scanner = {
  /** In the order of a walk: a folder before what lies in it. Throws E_UNPROTECTABLE, the signal's reason. */
  scan(top: Place, signal: AbortSignal): Promise<Border[]>;
};

/** Of installed packages, which hold public keys for tests and are written by package managers. */
const installed: ReadonlySet<string> = new Set(["node_modules", "site-packages"]);

/** Milliseconds after which other work gets its turn. */
const restAfter = 50;
/** A change this soon after another may bear the same time. */
const clockTick = 100_000_000n;
const maxLevels = 256;

type Folder = { readonly name: string; readonly access: Access };
/** `stamp`: undefined where the folder may since have changed without a trace. */
type Known = { stamp: string | undefined; folders: readonly Folder[]; borders: readonly Border[] };
type Level = { place: Place; access: Access; rest: Folder[] };

export function scanner(policy: Policy): Scanner {
  let known = new Map<string, Known>();
  return {
    async scan(top, signal) {
      const seen = new Map<string, Known>();
      const root = border(policy, ".", top.kind, { read: true, write: true });
      const borders = root === undefined ? [] : [root];
      const enter = (place: Place, access: Access): Level => {
        const content = lookInto(place, access, known.get(place.path), policy);
        seen.set(place.path, content);
        borders.push(...content.borders);
        return { place, access, rest: content.folders.toReversed() };
      };
      const levels: Level[] = [];
      let rested = Date.now();
      try {
        levels.push(enter(top, root ?? { read: true, write: true }));
        for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
          const next = levels.length < maxLevels ? level.rest.pop() : undefined;
          if (next === undefined) {
            levels.pop();
            if (level.place !== top) level.place.release();
            continue;
          }
          const place = level.place.child(next.name);
          if (place?.kind === "directory") levels.push(enter(place, next.access));
          else place?.release();
          if (Date.now() - rested < restAfter) continue;
          await setImmediate();
          signal.throwIfAborted();
          rested = Date.now();
        }
      } finally {
        for (const { place } of levels) if (place !== top) place.release();
      }
      known = seen;
      return borders;
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
  // A folder that croft may not list, a command may not either.
  for (const { name, kind } of ifReachable(() => [...place.entries()]) ?? []) {
    const path = pathIn(place.path, name);
    if (kind === "directory" && installed.has(name)) continue;
    const found = border(policy, path, kind, access);
    if (found !== undefined) borders.push(found);
    if (kind === "directory" && name !== ".git") folders.push({ name, access: found ?? access });
    if (name.includes("\uFFFD") && (kind === "directory" || found !== undefined)) throw undecodable(path);
  }
  return { stamp: settled ? stamp : undefined, folders, borders };
}

/** Undefined where the access is that of the folder around it. */
function border(policy: Policy, path: string, kind: Kind, around: Access): Border | undefined {
  const access = accessTo(policy, path);
  if (access.read === around.read && access.write === around.write) return undefined;
  return { path, kind, ...access };
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
  if (path === ".git" || path.endsWith("/.git")) return { read: true, write: false };
  const read = policy.judge(path, "read").decision === "allow";
  return { read, write: read && policy.judge(path, "write").decision === "allow" };
}

function undecodable(path: string): Failure {
  return new Failure(
    "E_UNPROTECTABLE",
    `The name ${quoted(path)} is not UTF-8, so it cannot be protected from commands.`,
    {
      remedy: "Rename it; until then each command is asked about and runs unprotected.",
    },
  );
}
