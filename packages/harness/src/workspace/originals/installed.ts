/** What was changed among installed packages: nobody keeps a copy of those, but the system knows when each file changed. */

import { lstatSync, readdirSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { isInstalled } from "../../policy/check-files.ts";
import { ifReachable } from "../place/system.ts";

/** What tools write there as they run. Packages of some package managers lie in a hidden folder, too. */
const written = /^(?:__pycache__|\.(?!pnpm$|store$).*)$/;
const restAfter = 50;

/**
 * Paths of files, relative to `root`, that changed after a moment, in milliseconds of the system's clock: no program can
 * set that time of a file. No link is followed. Throws the signal's reason.
 */
export async function changedInstalled(root: string, after: number, signal: AbortSignal): Promise<string[]> {
  const changed: string[] = [];
  let rested = Date.now();

  async function enter(folder: string, within: boolean): Promise<void> {
    const entries: Dirent[] = ifReachable(() => readdirSync(join(root, folder), { withFileTypes: true })) ?? [];
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        const isSkipped = within ? written.test(entry.name) : entry.name === ".git" || entry.name === "target";
        if (!isSkipped) await enter(path, within || isInstalled(entry.name));
      } else if (within && (lstatSync(join(root, path), { throwIfNoEntry: false })?.ctimeMs ?? 0) > after) {
        changed.push(path);
      }
      if (Date.now() - rested < restAfter) continue;
      await setImmediate();
      signal.throwIfAborted();
      rested = Date.now();
    }
  }

  await enter("", false);
  return changed.toSorted();
}
