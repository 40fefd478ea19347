/** Folders that are git's own under another name: bare repositories, and those that `--separate-git-dir` made. */

import { posix } from "node:path";
import { pathIn, type Place, type Root } from "../place/place.ts";

/**
 * A path in such a folder as it would be in one called `.git`, for that is the name that rules know; undefined where
 * none is on the way. No link is followed.
 */
export function asInGit(root: Root, path: string): string | undefined {
  const names = path.split("/");
  let folder = root.resolve(".");
  for (let depth = 0; folder !== undefined; depth += 1) {
    const here: Place = folder;
    const name = names[depth];
    try {
      if (isGitFolder(here)) return pathIn(posix.dirname(here.path), [".git", ...names.slice(depth)].join("/"));
      folder = name === undefined ? undefined : here.child(name);
    } finally {
      here.release();
    }
  }
  return undefined;
}

/** What git itself looks for. */
function isGitFolder(folder: Place): boolean {
  return (
    kindIn(folder, "HEAD") !== undefined && ["objects", "refs"].every((name) => kindIn(folder, name) === "directory")
  );
}

function kindIn(folder: Place, name: string): Place["kind"] | undefined {
  const place = folder.kind === "directory" ? folder.child(name) : undefined;
  place?.release();
  return place?.kind;
}
