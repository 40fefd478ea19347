/** What both real mechanisms share: kinds, folders, readers and the errors that mean "not there". */

import { closeSync, opendirSync, read, readSync, type BigIntStats, type Dirent, type Stats } from "node:fs";
import { promisify } from "node:util";
import type { Kind } from "./fence.ts";
import type { Named, Reader } from "./place.ts";

export function kindOf(found: Stats | BigIntStats | Dirent): Kind {
  if (found.isFile()) return "file";
  if (found.isDirectory()) return "directory";
  return found.isSymbolicLink() ? "link" : "other";
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
    if (unreachable.has(codeOf(thrown) ?? "")) return undefined;
    throw thrown;
  }
}

const unreachable: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ELOOP", "EACCES", "EPERM", "EINVAL", "ENXIO"]);

/** The entries of a folder, read a thousand at a time; closed when the caller stops. */
export function* entriesOf(path: string): Generator<Named> {
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
  const readLater = promisify(read);
  return {
    readSync: (into, position) => readSync(descriptor, into, 0, into.length, position),
    read: async (into, position) => (await readLater(descriptor, into, 0, into.length, position)).bytesRead,
    close: () => closeSync(descriptor),
  };
}
