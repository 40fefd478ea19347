/** How each border is held, given what git knows of it. */

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Held, Hold } from "../../process/guard.ts";
import { contentOf, maxFileBytes } from "../place/content.ts";
import type { Place } from "../place/place.ts";
import { ifReachable } from "../place/system.ts";
import { ignoresIn, isIgnored } from "../walk/ignore.ts";
import { gitNameOf, parseGitIndex } from "./git-index.ts";
import { withEntry } from "./quarantine.ts";
import type { Border } from "./scan.ts";

/** More than this is read by no command line either. */
const maxIndexBytes = 256 * 1024 * 1024;

/**
 * Links are not held: what they lead to is judged by its own path. `index` is git's list of tracked files, if there is
 * a repository.
 */
export function holdBorders(root: string, top: Place, borders: readonly Border[], index: string | undefined): Held[] {
  const trackedAs = index === undefined ? undefined : namesIn(index);
  return borders.flatMap((border): Held[] => {
    if (border.kind === "link") return [];
    const folder = border.kind === "directory";
    const path = border.path === "." ? root : join(root, border.path);
    return [{ path, folder, hold: holdOf(border, top, trackedAs) }];
  });
}

/** What git calls the content that it has recorded under a path; undefined where it has none. */
type TrackedAs = (path: string) => string | undefined;

/** Read when it is first asked. */
function namesIn(index: string): TrackedAs {
  let tracked: ReadonlyMap<string, string> | undefined;
  return (path) => (tracked ??= readIndex(index)).get(path);
}

/**
 * A secret that git would take up cannot be opened, so that git fails aloud rather than record it as empty. One that
 * git leaves alone reads as empty, so that tools which load it whenever it is there (.env) go on. `trackedAs`: undefined
 * outside of a repository.
 */
function holdOf({ path, kind, read, write }: Border, top: Place, trackedAs: TrackedAs | undefined): Hold {
  if (read) return write ? "writable" : "read-only";
  if (kind !== "file") return "unreadable";
  if (trackedAs === undefined) return "empty";
  const recorded = trackedAs(path);
  if (recorded !== undefined) return recorded === nameOf(top, path) ? "read-only" : "unreadable";
  const names = path.split("/");
  const ignores = ignoresIn({ top, within: [], release() {} }, names.slice(0, -1));
  return isIgnored(ignores, { names, isFolder: false }) ||
    names.some((_, at) => at > 0 && isIgnored(ignores, { names: names.slice(0, at), isFolder: true }))
    ? "empty"
    : "unreadable";
}

function nameOf(top: Place, path: string): string | undefined {
  return withEntry(top, path, ({ entry }) =>
    entry.kind === "file" && entry.size <= maxFileBytes ? ifReachable(() => gitNameOf(contentOf(entry))) : undefined,
  );
}

function readIndex(file: string): ReadonlyMap<string, string> {
  return (
    ifReachable(() => (statSync(file).size > maxIndexBytes ? new Map() : parseGitIndex(readFileSync(file)))) ??
    new Map()
  );
}
