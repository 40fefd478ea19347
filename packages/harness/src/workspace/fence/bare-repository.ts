/**
 * A folder with a HEAD, objects and refs is a repository to git, whatever it is called, and its settings and hooks run
 * programs for whoever uses git there. So none is made, or changed, file by file.
 */

import { Failure } from "../../error.ts";
import type { Root } from "../place/place.ts";
import { quoted } from "../text/show-path.ts";

const marks = ["HEAD", "objects", "refs"];
const parts: ReadonlySet<string> = new Set([...marks, "config", "config.worktree", "commondir", "hooks", "info"]);

/** `paths`: what is to be written, relative to the root. Throws E_DENIED. */
export function refuseRepositories(root: Root, paths: readonly string[]): void {
  const planned = new Set(paths.flatMap(foldersAndSelf));
  const isThere = (path: string): boolean => {
    if (planned.has(path)) return true;
    using found = held(root, path);
    return found.place !== undefined;
  };
  for (const path of paths) {
    const repository = foldersAround(path).find((folder) => marks.every((mark) => isThere(`${folder}${mark}`)));
    if (repository !== undefined) throw partOfRepository(path, repository);
  }
}

/** The folders that it would be a part of, were they repositories: "" is the root, others end in a slash. */
function foldersAround(path: string): string[] {
  const names = path.split("/");
  return names.flatMap((name, at) =>
    parts.has(name)
      ? [
          names
            .slice(0, at)
            .map((one) => `${one}/`)
            .join(""),
        ]
      : [],
  );
}

function foldersAndSelf(path: string): string[] {
  const names = path.split("/");
  return names.map((_, at) => names.slice(0, at + 1).join("/"));
}

function held(root: Root, path: string): { place: ReturnType<Root["resolve"]> } & Disposable {
  const place = root.resolve(path);
  return { place, [Symbol.dispose]: () => place?.release() };
}

function partOfRepository(path: string, folder: string): Failure {
  const where = folder === "" ? "the project folder" : quoted(folder.slice(0, -1));
  return new Failure("E_DENIED", `${quoted(path)} is protected: with it, git takes ${where} for a repository.`, {
    remedy: "Make a repository with git, outside the sandbox, if the user wants one.",
  });
}
