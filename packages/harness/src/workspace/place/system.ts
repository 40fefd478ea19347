/** What both real mechanisms share: kinds, folders, readers and the errors that mean "not there". */

import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  opendirSync,
  openSync,
  read,
  readSync,
  type BigIntStats,
  type Dirent,
  type Stats,
} from "node:fs";
import type { FileNow, Kind } from "../fence.ts";
import type { FolderEntry, Reader } from "./place.ts";

export function kindOf(found: Stats | BigIntStats | Dirent): Kind {
  if (found.isFile()) return "file";
  if (found.isDirectory()) return "directory";
  return found.isSymbolicLink() ? "link" : "other";
}

/** Of a mode: who may read, write, execute. */
export const permissionBits = 0o777;

export function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}

/** How the file behind a descriptor is by now. */
export function nowOf(descriptor: number): FileNow {
  const { size, mtimeNs, ctimeNs, nlink } = fstatSync(descriptor, { bigint: true });
  return { size: Number(size), modified: mtimeNs, changed: ctimeNs, links: Number(nlink) };
}

/** The system's code of an error, such as ENOENT. */
export function codeOf(thrown: unknown): string | undefined {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** Undefined if `look` found nothing that can be reached; any other error is thrown on. */
export function ifReachable<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (thrown) {
    if (isUnreachable(thrown)) return undefined;
    throw thrown;
  }
}

const unreachable: ReadonlySet<string | undefined> = new Set(["ENOENT", "ENOTDIR", "ELOOP", "EINVAL", "ENXIO"]);

/** Absent, on no path of folders, in a loop, or behind a folder that may not be passed. */
export function isUnreachable(thrown: unknown): boolean {
  return unreachable.has(codeOf(thrown)) || isForbidden(thrown);
}

export function isForbidden(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return code === "EACCES" || code === "EPERM";
}

/** What is made from a descriptor owns it; if nothing is made, it is closed. */
export function madeFrom<T>(descriptor: number, make: () => T): T {
  let made: T | undefined;
  try {
    made = make();
    return made;
  } finally {
    if (made === undefined) closeSync(descriptor);
  }
}

/** The entries of a folder, read a thousand at a time; closed when the caller stops. */
export function* entriesOf(path: string): Generator<FolderEntry> {
  const folder = opendirSync(path, { bufferSize: 1024 });
  try {
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      yield { name: entry.name, kind: kindOf(entry) };
    }
  } finally {
    folder.closeSync();
  }
}

/** Takes over the descriptor. */
export function readerOf(descriptor: number): Reader {
  return {
    readSync: (into, position) => readSync(descriptor, into, 0, into.length, position),
    read: (into, position) => {
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      read(descriptor, into, 0, into.length, position, (error, count) => (error ? reject(error) : resolve(count)));
      return promise;
    },
    close: () => closeSync(descriptor),
  };
}

/** Brings the names in a folder to the disk, where the file system can do that. Throws the system's error. */
export function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  try {
    const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (thrown) {
    // A folder that may be written but not listed cannot be opened for this; some file systems have no such call.
    if (!isForbidden(thrown) && codeOf(thrown) !== "EINVAL") throw thrown;
  }
}
