/** What can fail without harm: folders made, and new bytes written beside their targets. */

import { posix } from "node:path";
import type { PlannedFile } from "../change.ts";
import { pathIn, type NewFile, type Place } from "../place/place.ts";
import { codeOf } from "../place/system.ts";
import { identityAt, unmakeFolder, unstage, type Inverse, type Names } from "./put-back.ts";
import { moved } from "./refusals.ts";
import type { Spot } from "./spot.ts";
import type { Observe } from "./step.ts";

/** A planned change and the place held for it. `mode` is undefined where the umask decides. */
export type Held = { readonly planned: PlannedFile; readonly spot: Spot; readonly mode: number | undefined };

/** What a commit has opened and can take back. */
export type Progress = { readonly opened: Place[]; readonly inverses: Inverse[]; readonly observe: Observe };

/** A change whose folder is there and whose new bytes wait in it. */
export type Staged = {
  readonly held: Held;
  readonly folder: Place;
  /** In which names change: its own, and those in which folders were made for it. */
  readonly touched: readonly Place[];
  readonly names: Names;
  /** Of the file that waits. */
  readonly identity: unknown;
};

/** Throws the system's error. */
export function stage(held: Held, progress: Progress): Staged {
  const { planned, spot } = held;
  const touched = foldersFor(held, progress);
  const folder = touched.at(-1) ?? spot.folder;
  const names = { name: spot.name, temporary: posix.basename(planned.temporary) };
  if (planned.after === null) return { held, folder, touched, names, identity: undefined };
  folder.writer().create(names.temporary, likeThere(held, planned.after.bytes));
  progress.inverses.push(unstage(folder, names.temporary, planned.temporary));
  progress.observe({ did: "staged", path: planned.path });
  return { held, folder, touched, names, identity: identityAt(folder, names.temporary) };
}

/** Bytes as a file with the mode and owner of the one that is there. */
export function likeThere({ spot: { found }, mode }: Held, bytes: Uint8Array): NewFile {
  return { bytes, mode, owner: found?.owner, group: found?.group };
}

/** From the deepest folder that was there down to the target's own, made where it is missing. */
function foldersFor({ planned, spot }: Held, { opened, inverses, observe }: Progress): Place[] {
  let folder = spot.folder;
  const folders = [folder];
  for (const name of spot.missing) {
    const parent = folder;
    const path = pathIn(parent.path, name);
    if (madeFolder(parent, name)) {
      inverses.push(unmakeFolder(parent, name, path));
      observe({ did: "made", path });
    }
    const there = parent.child(name);
    if (there === undefined) throw moved(planned.path);
    opened.push(there);
    if (there.kind !== "directory") throw moved(planned.path);
    folders.push(there);
    folder = there;
  }
  return folders;
}

/** False if it is there already: another change may have made it. */
function madeFolder(parent: Place, name: string): boolean {
  try {
    parent.writer().makeFolder(name);
    return true;
  } catch (thrown) {
    if (codeOf(thrown) === "EEXIST") return false;
    throw thrown;
  }
}
