/** The folders croft writes to: there or possible, and nobody else's business. */

import { randomBytes } from "node:crypto";
import { closeSync, openSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { shortened } from "../config/shortened.ts";
import type { Environment } from "../config/environment.ts";
import { fail, ok, warn, type Check } from "./check.ts";

type Folder = { name: string; home: string | undefined; what: string; variable: string; forbidden: number };

/** Bytes that are written to see whether there is room: permissions alone do not tell. */
const probeBytes = 4_096;
const fullDisk: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

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
  const why = whyUnwritable(folder);
  if (why !== undefined) return fail(name, `${shown} cannot be written: ${why}.`, remedy);
  if (there !== undefined && (there.mode & forbidden) !== 0) {
    const mode = (there.mode & 0o777).toString(8);
    return warn(name, `${shown} is open to others (mode ${mode}).`, `Close it: chmod 700 ${shown}`);
  }
  return ok(name, `${what} in ${shown}.`);
}

/** Why nothing can be kept in the folder, or in the nearest one above it that exists; undefined: it can. */
function whyUnwritable(folder: string): string | undefined {
  const probe = join(folder, `.croft-doctor-${randomBytes(6).toString("hex")}`);
  let descriptor: number | undefined;
  try {
    descriptor = openSync(probe, "wx", 0o600);
    writeFileSync(descriptor, "x".repeat(probeBytes), { flush: true });
    return undefined;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code !== "ENOENT" || folder === dirname(folder))
      return fullDisk.has(code) ? `there is no room (${code})` : code;
    return whyUnwritable(dirname(folder));
  } finally {
    if (descriptor !== undefined) {
      closeSync(descriptor);
      unlinkSync(probe);
    }
  }
}
