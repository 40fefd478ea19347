/** Folders that croft keeps for each project, outside all of them. */

import { createHash } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../usage.ts";
import type { Environment } from "./environment.ts";

/** Where undo keeps what was there before. `root`: a real path. Throws UsageError E_NO_STATE where no home is known. */
export function undoStore(stateHome: string | undefined, root: string): string {
  if (stateHome === undefined) {
    throw new UsageError("E_NO_STATE", "Undo has no place: no home folder is known.", "Set HOME or XDG_STATE_HOME.");
  }
  return join(stateHome, "croft", "undo", projectKey(root));
}

/** The name of a project's folder, by the real path of its root. */
export function projectKey(root: string): string {
  return createHash("sha256").update(root).digest("hex").slice(0, 32);
}

/** `bytes`: as far as they are this folder's alone. `at`: milliseconds since 1970 of the last change that shows. */
export type ProjectStore = { folder: string; key: string; bytes: number; at: number };

/**
 * What is kept for projects and can be missed: what undo would put back, long outputs of commands, and their caches. Not
 * what was found in a project and put aside: of that there is no other copy.
 */
export function projectStores({ stateHome, cacheHome }: Pick<Environment, "stateHome" | "cacheHome">): ProjectStore[] {
  const folders = [
    ...(stateHome === undefined ? [] : [join(stateHome, "croft", "undo"), join(stateHome, "croft", "outputs")]),
    ...(cacheHome === undefined ? [] : [join(cacheHome, "croft", "commands")]),
  ];
  return folders.flatMap((parent) =>
    namesIn(parent)
      .filter((name) => /^[0-9a-f]{32}$/.test(name))
      .map((key) => ({ folder: join(parent, key), key, ...lookedAt(join(parent, key)) })),
  );
}

function lookedAt(folder: string): Pick<ProjectStore, "bytes" | "at"> {
  const seen = new Set<number>();
  let bytes = 0;
  let at = 0;
  for (const name of ["", ...namesIn(folder, true)]) {
    const found = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (found === undefined) continue;
    at = Math.max(at, found.mtimeMs);
    if (!found.isFile() || seen.has(found.ino)) continue;
    seen.add(found.ino);
    bytes += found.size;
  }
  return { bytes, at };
}

function namesIn(folder: string, recursive = false): string[] {
  try {
    return readdirSync(folder, { recursive, encoding: "utf8" });
  } catch {
    return [];
  }
}
