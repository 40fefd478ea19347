/** The folders croft writes to: there or possible, and nobody else's business. */

import { accessSync, constants, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { shortened } from "../config/shortened.ts";
import type { Environment } from "../config/environment.ts";
import { fail, ok, warn, type Check } from "./check.ts";

type Folder = { name: string; home: string | undefined; what: string; variable: string; forbidden: number };

/** Traces hold what a model was shown, so nobody else may read them; compiled code is only not to be replaced. */
export function checkFolders({ stateHome, cacheHome, home }: Environment): Check[] {
  const folders: readonly Folder[] = [
    { name: "state", home: stateHome, what: "Traces are kept", variable: "XDG_STATE_HOME", forbidden: 0o077 },
    { name: "cache", home: cacheHome, what: "Compiled code is kept", variable: "XDG_CACHE_HOME", forbidden: 0o022 },
  ];
  return folders.map((folder) => checkFolder(folder, home));
}

function checkFolder({ name, home, what, variable, forbidden }: Folder, userHome: string | undefined): Check {
  const remedy = `Set ${variable} to a folder that can be written.`;
  if (home === undefined) return warn(name, "No home folder is known: nothing is kept.", remedy);
  const folder = join(home, "croft");
  const shown = shortened(folder, userHome);
  const there = statSync(folder, { throwIfNoEntry: false });
  if (there !== undefined && !there.isDirectory()) return fail(name, `${shown} is no folder.`, remedy);
  if (!mayWrite(folder)) return fail(name, `${shown} cannot be written.`, remedy);
  if (there !== undefined && (there.mode & forbidden) !== 0) {
    const mode = (there.mode & 0o777).toString(8);
    return warn(name, `${shown} is open to others (mode ${mode}).`, `Close it: chmod 700 ${shown}`);
  }
  return ok(name, `${what} in ${shown}.`);
}

/** In the folder, or in the nearest one above it that exists. */
function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch (error) {
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    return missing && folder !== dirname(folder) && mayWrite(dirname(folder));
  }
}
