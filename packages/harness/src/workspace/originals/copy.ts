/** A copy of a project in a private folder, sharing blocks with it where the file system can. */

import { constants, copyFileSync, mkdirSync, readlinkSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../error.ts";
import { isInstalled } from "../../policy/check-files.ts";
import { pathIn, type Place } from "../place/place.ts";
import { ifReachable } from "../place/system.ts";
import { createRests } from "../rests.ts";

/** Bytes of the files of a copy together. */
const limit = 500_000_000;

/**
 * Copies what lies below `top` into `folder`, which is there and empty. Gives the folders that are only made, since they
 * are never copied: `.git` and what is installed. `without`: paths that are left out. Times are kept, for builds that go
 * by them. Throws E_TOO_LARGE, the system's error, and the signal's reason.
 */
export async function copyTree(
  top: Place,
  folder: string,
  without: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<string[]> {
  const left: string[] = [];
  let bytes = 0;
  const rests = createRests(signal);

  function copyFile(place: Place, to: string): void {
    bytes += place.size;
    if (bytes > limit) throw tooLarge();
    const from = place.systemPath();
    // What croft may not read, the check may not either.
    ifReachable(() => {
      copyFileSync(from, to, constants.COPYFILE_FICLONE);
      const { atime, mtime } = statSync(from);
      utimesSync(to, atime, mtime);
    });
  }

  async function enter(from: Place, to: string): Promise<void> {
    for (const { name } of ifReachable(() => [...from.entries()]) ?? []) {
      if (without.has(pathIn(from.path, name))) continue;
      const child = from.child(name);
      try {
        const target = join(to, name);
        if (child?.kind === "link") symlinkSync(readlinkSync(`${from.systemPath()}/${name}`), target);
        if (child?.kind === "file") copyFile(child, target);
        if (child?.kind === "directory") {
          mkdirSync(target, { mode: 0o755 });
          if (name === ".git" || isInstalled(name)) left.push(pathIn(from.path, name));
          else await enter(child, target);
        }
      } finally {
        child?.release();
      }
      if (rests.isDue()) await rests.take();
    }
  }

  await enter(top, folder);
  return left;
}

function tooLarge(): Failure {
  return new Failure("E_TOO_LARGE", `The project has more than ${limit / 1e6} MB, too much to run a copy of it.`);
}
