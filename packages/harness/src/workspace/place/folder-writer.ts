/** How both real mechanisms change a folder: by names in it, and whatever is written is on the disk before it is named. */

import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import type { FolderWriter, NewFile } from "./place.ts";
import { codeOf, isForbidden, syncFolder } from "./system.ts";

const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
const defaultMode = 0o666;
/** Nobody else may look at a file whose mode is yet to be set. */
const privateMode = 0o600;

/** `folder` gives the folder's path of this moment, and throws if there is none. */
export function folderWriter(folder: () => string): FolderWriter {
  const at = (name: string): string => `${folder()}/${name}`;
  return {
    makeFolder: (name) => mkdirSync(at(name)),
    removeFolder: (name) => rmdirSync(at(name)),
    create(name, file) {
      const place = at(name);
      const descriptor = openSync(place, newFile, file.mode === undefined ? defaultMode : privateMode);
      try {
        fill(descriptor, file);
      } catch (thrown) {
        unlinkSync(place);
        throw thrown;
      } finally {
        closeSync(descriptor);
      }
    },
    place: (from, to) => placeUnder(at(from), at(to)),
    replace: (from, to) => renameSync(at(from), at(to)),
    remove: (name) => unlinkSync(at(name)),
    sync: () => syncFolder(folder()),
  };
}

function fill(descriptor: number, { bytes, mode, owner, group }: NewFile): void {
  writeFileSync(descriptor, bytes);
  if (owner !== undefined && group !== undefined) giveTo(descriptor, owner, group);
  if (mode !== undefined) fchmodSync(descriptor, mode);
  fsyncSync(descriptor);
}

/** Only root may give a file away; others may set a group that they are in. */
function giveTo(descriptor: number, owner: number, group: number): void {
  const { uid, gid } = fstatSync(descriptor);
  if (uid === owner && gid === group) return;
  try {
    fchownSync(descriptor, owner, group);
  } catch (thrown) {
    if (!isForbidden(thrown)) throw thrown;
  }
}

/** A second name is refused where the name is taken; a rename would replace what is there. */
function placeUnder(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (thrown) {
    if (!isWithoutLinks(thrown)) throw thrown;
    if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) {
      throw Object.assign(new Error("The name is taken.", { cause: thrown }), { code: "EEXIST" });
    }
    renameSync(from, to);
    return;
  }
  unlinkSync(from);
}

/** Some file systems give a file one name only; what is left there is the moment between look and rename. */
function isWithoutLinks(thrown: unknown): boolean {
  return ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(codeOf(thrown) ?? "");
}
