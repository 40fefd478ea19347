/** A copy of a project in which what was kept stands as it was. */

import { chmodSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "../../error.ts";
import type { Tree } from "../../process/enclosure.ts";
import type { Root } from "../place/place.ts";
import { quoted } from "../text/show-path.ts";
import type { Built } from "./built.ts";
import { copyTree } from "./copy.ts";
import { withDefinition } from "./definition.ts";
import { withTests } from "./inner-tests.ts";
import type { Difference } from "./look.ts";

/** Gone with its disposal. */
export type OriginalTree = Tree & Disposable;

/** A file as it was: where its bytes are kept, or where the link led. */
export type Kept = { kind: "file"; place: string; mode: number } | { kind: "link"; target: string };

export type TreeOptions = {
  /** The project as it is now. */
  root: Root;
  kept: ReadonlyMap<string, Kept>;
  /** Where the copy goes: an empty folder. */
  folder: string;
  /** A folder for what is mounted into it. */
  aside: string;
  changed: readonly Difference[];
  built: Built;
};

/**
 * The project as it is now, but for what was changed, which is as it was, and without what was built. Installed packages
 * are the project's own. Throws E_TOO_LARGE, the system's error and the signal's reason; then nothing is left of it.
 */
export async function treeWith(
  { root, kept, folder, aside, changed, built }: TreeOptions,
  signal: AbortSignal,
): Promise<OriginalTree> {
  const emptied = join(aside, "emptied");
  const remove = (): void => {
    for (const made of [folder, emptied]) rmSync(made, { recursive: true, force: true });
  };
  try {
    const left = await copyTree(root.top, folder, new Set([...built.values()].flat()), signal);
    for (const difference of changed) putBack(folder, difference, kept.get(difference.path));
    const shared = left.map((path) => ({ path, source: join(root.path, path), writable: !path.endsWith(".git") }));
    const programs = changed.filter(({ kind }) => kind === "program").map(({ path }) => dirname(path));
    const own = [...new Set(programs)].map((path) => ({
      path,
      source: programsIn(path, kept, join(aside, `programs-${path.replaceAll("/", "-")}`)),
      writable: false,
    }));
    const caches = [...built.keys()].filter((path) => left.some((shared) => path.startsWith(`${shared}/`)));
    const empty = caches.map((path, index) => ({
      path,
      source: emptyFolder(join(emptied, String(index))),
      writable: true,
    }));
    return { folder, shared: [...shared, ...own, ...empty], [Symbol.dispose]: remove };
  } catch (thrown) {
    remove();
    throw thrown;
  }
}

/** In a copy. What is to be mounted there is no part of it. Its time is now, so that builds take notice. */
function putBack(tree: string, { path, kind, how }: Difference, original: Kept | undefined): void {
  if (kind === "program") return;
  if (original === undefined && how !== "new") throw notKept(path);
  const place = join(tree, path);
  const isPart = how === "changed" || kind === "source";
  const present = isPart && original?.kind === "file" ? fileAt(place) : undefined;
  makeWay(tree, path);
  if (original === undefined) return;
  if (original.kind === "link") return symlinkSync(original.target, place);
  const before = readFileSync(original.place);
  const merge = kind === "definition" ? withDefinition : kind === "source" ? withTests : undefined;
  const text = present && merge?.(path, present.toString("latin1"), before.toString("latin1"));
  writeFileSync(place, text === undefined ? before : Buffer.from(text, "latin1"));
  chmodSync(place, original.mode);
}

function notKept(path: string): Failure {
  return new Failure("E_TOO_LARGE", `${quoted(path)} was too large to be kept.`);
}

function emptyFolder(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  return folder;
}

function fileAt(place: string): Buffer | undefined {
  return lstatSync(place, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(place) : undefined;
}

/** Folders on the way and nothing at its end: a link in the copy could lead out of it. */
function makeWay(tree: string, path: string): void {
  const names = path.split("/");
  for (let count = 1; count <= names.length; count += 1) {
    const place = join(tree, ...names.slice(0, count));
    const isLast = count === names.length;
    if (isLast || lstatSync(place, { throwIfNoEntry: false })?.isDirectory() !== true) {
      rmSync(place, { recursive: true, force: true });
      if (!isLast) mkdirSync(place);
    }
  }
}

/** The folder of programs as it was. */
function programsIn(folder: string, kept: ReadonlyMap<string, Kept>, made: string): string {
  rmSync(made, { recursive: true, force: true });
  mkdirSync(made, { mode: 0o755 });
  for (const [path, original] of kept) {
    if (dirname(path) !== folder) continue;
    const place = join(made, path.slice(folder.length + 1));
    if (original.kind === "link") {
      symlinkSync(original.target, place);
      continue;
    }
    writeFileSync(place, readFileSync(original.place));
    chmodSync(place, original.mode);
  }
  return made;
}
