/** The project as a command finds it: at its own path, with what is protected held, and nothing of it movable. */

import { dirname } from "node:path";
import type { Tree } from "../enclosure.ts";
import type { Held, Hold } from "../guard.ts";
import type { Mount } from "./mount.ts";

/** `emptyFile` can be read and has nothing in it; `closedFile` cannot be opened. */
export type MaskFiles = {
  readonly emptyFile: string;
  readonly closedFile: string;
  /** A file with this text. */
  fileWith(content: string): string;
};

export type ProjectParts = {
  masks: MaskFiles;
  /** What stands in the project's place. */
  tree?: Tree | undefined;
  /** Nothing of it can be written. */
  readOnly?: true | undefined;
};

/** `places` as a guard gives them: a folder before what lies in it. */
export function projectMounts(root: string, places: readonly Held[], parts: ProjectParts): Mount[] {
  const mounts = asHeld(root, places, parts);
  return parts.readOnly === true ? mounts.map(closed) : mounts;
}

function closed(mount: Mount): Mount {
  return mount.kind === "writable" ? { ...mount, kind: "read-only" } : mount;
}

function asHeld(root: string, places: readonly Held[], { masks, tree }: ProjectParts): Mount[] {
  const source = sourceIn(root, tree);
  const mounts = places.map((place) => mountOf(place, masks, source));
  const shared = (tree?.shared ?? []).map(({ path, source, writable }): Mount => ({
    kind: writable ? "writable" : "read-only",
    source,
    target: `${root}/${path}`,
  }));
  return [
    { kind: "writable", source: source(root), target: root },
    ...shared,
    ...pins(root, places, source),
    ...mounts,
  ];
}

/** Where what a command is to find at a path of the project lies. */
function sourceIn(root: string, tree: Tree | undefined): (path: string) => string {
  if (tree === undefined) return (path) => path;
  const outerLast = tree.shared.toSorted((one, other) => other.path.length - one.path.length);
  return (path) => {
    const relative = path.slice(root.length + 1);
    const within = outerLast.find((one) => relative === one.path || relative.startsWith(`${one.path}/`));
    if (within !== undefined) return within.source + relative.slice(within.path.length);
    return tree.folder + path.slice(root.length);
  };
}

function mountOf({ path, folder, hold, content }: Held, masks: MaskFiles, source: (path: string) => string): Mount {
  if (content !== undefined) return { kind: "read-only", source: masks.fileWith(content), target: path };
  if (hold === "writable" || hold === "read-only") return { kind: hold, source: source(path), target: path };
  if (folder) return { kind: "unreadable", target: path };
  return { kind: "read-only", source: hold === "empty" ? masks.emptyFile : masks.closedFile, target: path };
}

/**
 * The folders on the way to what is held. Each becomes a mount of itself, because the system renames no mount point:
 * else `mv .github old && mkdir -p .github/workflows` would leave the protection behind. The price: within a project,
 * what is moved into or out of such a folder is copied.
 */
function pins(root: string, places: readonly Held[], source: (path: string) => string): Mount[] {
  const holds = new Map<string, Hold>(places.map(({ path, hold }) => [path, hold]));
  const pinned = new Set<string>();
  for (const { path } of places) {
    for (let folder = dirname(path); folder.startsWith(`${root}/`); folder = dirname(folder)) pinned.add(folder);
  }
  return [...pinned]
    .filter((folder) => !holds.has(folder) && holdAt(folder, root, holds) === "writable")
    .map((folder) => ({ kind: "writable", source: source(folder), target: folder }));
}

/** How a folder is held through those it lies in. */
function holdAt(folder: string, root: string, holds: ReadonlyMap<string, Hold>): Hold {
  for (let at = folder; ; at = dirname(at)) {
    const hold = holds.get(at);
    if (hold !== undefined) return hold;
    if (at === root) return "writable";
  }
}
