/**
 * Where a change goes: a name in a held folder. Links are followed once, to learn where a path leads; the folder is then
 * held by walking there one name at a time without following any, so nothing can lead it elsewhere.
 */

import { posix } from "node:path";
import type { Kind } from "../fence.ts";
import { pathIn, type Place, type Root } from "../place/place.ts";
import { isFolder, leadsNowhere, moved, notFolder } from "./refusals.ts";

export type Spot = {
  /** Canonical, relative to the root. */
  readonly path: string;
  readonly name: string;
  /** The deepest folder on the way that is there. */
  readonly folder: Place;
  /** Names of the folders to be made below it, outermost first. */
  readonly missing: readonly string[];
  /** What bears the name now. */
  readonly found: Place | undefined;
};

/**
 * Where a relative path leads, or would: a file that is not there lies below the deepest folder that is. Throws
 * E_NOT_FOUND where a link leads nowhere or out of the project, E_IS_FOLDER, E_NOT_FOLDER.
 */
export function whereTo(root: Root, relative: string, asked: string): string {
  const found = pathOf(root, relative);
  if (found === ".") throw isFolder(asked);
  if (found !== undefined) return found;
  const names = relative.split("/");
  const last = names.at(-1) ?? "";
  if (last === "" || last === "." || last === "..") throw isFolder(asked);
  for (let there = names.length - 1; there >= 0; there -= 1) {
    const folder = root.resolve(names.slice(0, there).join("/") || ".");
    if (folder === undefined) continue;
    try {
      if (folder.kind !== "directory") throw notFolder(folder.path);
      const missing = names.slice(there).filter((name) => name !== "" && name !== ".");
      if (missing.includes("..") || isThere(folder, missing[0])) break;
      return pathIn(folder.path, missing.join("/"));
    } finally {
      folder.release();
    }
  }
  throw leadsNowhere(asked);
}

function pathOf(root: Root, relative: string): string | undefined {
  const place = root.resolve(relative);
  place?.release();
  return place?.path;
}

/** What cannot be resolved but stands there is a link that leads nowhere, or out. */
function isThere(folder: Place, name: string | undefined): boolean {
  const place = name === undefined ? undefined : folder.child(name);
  place?.release();
  return place !== undefined;
}

/**
 * Holds a canonical path; to be let go by `releaseSpot`. Throws E_NOT_FOLDER, and E_STALE where a link has come in the
 * way since it was resolved.
 */
export function holdSpot(root: Root, path: string): Spot {
  const { folder, missing, obstacle } = walkTo(root, posix.dirname(path));
  const name = posix.basename(path);
  try {
    if (obstacle !== undefined) throw obstacle === "link" ? moved(path) : notFolder(posix.dirname(path));
    return { path, name, folder, missing, found: missing.length === 0 ? folder.child(name) : undefined };
  } catch (thrown) {
    folder.release();
    throw thrown;
  }
}

export function releaseSpot({ folder, found }: Spot): void {
  found?.release();
  folder.release();
}

/** Whether a held folder is still found under its path: moved, it may be a folder that other rules are about. */
export function isInPlace(root: Root, folder: Place): boolean {
  const { folder: there, missing } = walkTo(root, folder.path);
  const same = missing.length === 0 && there.identity() === folder.identity();
  there.release();
  return same;
}

type Walk = {
  /** The deepest folder that was reached; to be released. */
  readonly folder: Place;
  /** Names of the path below it. */
  readonly missing: readonly string[];
  /** What bears the first of these, if anything does. */
  readonly obstacle: Kind | undefined;
};

/** Walks a canonical path down from the root; no link is followed. */
export function walkTo(root: Root, path: string): Walk {
  const names = path === "." ? [] : path.split("/");
  let folder = root.resolve(".");
  if (folder === undefined) throw moved(root.path);
  for (const [depth, name] of names.entries()) {
    const next = childOf(folder, name);
    if (next?.kind !== "directory") {
      next?.release();
      return { folder, missing: names.slice(depth), obstacle: next?.kind };
    }
    folder.release();
    folder = next;
  }
  return { folder, missing: [], obstacle: undefined };
}

function childOf(folder: Place, name: string): Place | undefined {
  try {
    return folder.child(name);
  } catch (thrown) {
    folder.release();
    throw thrown;
  }
}
