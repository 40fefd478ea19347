/**
 * What a fence stands on: places below one root, each held so that it stays the same place whatever is renamed. There
 * are two real mechanisms, beneath.ts and checked.ts, and one in memory; create-fence.ts puts words and the policy in
 * front.
 */

import type { FileNow, Kind } from "../fence.ts";

export interface Root {
  /** Real path when opened. */
  readonly path: string;
  /** The root folder itself; released with the root. */
  readonly top: Place;
  /**
   * Where a relative path leads, links followed. Undefined: nowhere, or not to a place below the root: absent, a
   * dangling link, a loop, a folder that may not be passed and a way out are not told apart. Throws the system's error
   * for the rest.
   */
  resolve(path: string): Place | undefined;
  release(): void;
}

/** Must be released; nothing works after that. */
export interface Place {
  /** As resolved, relative to the root, posix separators; "." is the root. */
  readonly path: string;
  readonly kind: Kind;
  /** Bytes, when it was held. */
  readonly size: number;
  /** User and group id; undefined where files have no owner. */
  readonly owner: number | undefined;
  readonly group: number | undefined;
  /** Permission bits, when it was held. */
  readonly mode: number;
  /** Equal (===) for two holds of the same file or folder, for as long as one of them is held. */
  identity(): unknown;
  /**
   * One entry of this folder, a link held as a link. `name` has no separator and is not "..". Undefined: as in
   * `resolve`.
   */
  child(name: string): Place | undefined;
  /** One pass over a folder in no order. Names that are not UTF-8 hold U+FFFD. Throws the system's error. */
  entries(): Iterable<FolderEntry>;
  /** Only for a regular file. Throws the system's error. */
  open(): Reader;
  /** How a regular file is by now. Throws the system's error. */
  now(): FileNow;
  /** Only for a folder. */
  writer(): FolderWriter;
  /**
   * For the system, while this is held: a path of the folder that stays right whatever is renamed, where there can be
   * one.
   */
  systemPath(): string;
  release(): void;
}

export type FolderEntry = { readonly name: string; readonly kind: Kind };

/** Positions are bytes from the start of the file; 0 bytes read means its end. */
export interface Reader {
  readSync(into: Uint8Array, position: number): number;
  read(into: Uint8Array, position: number): Promise<number>;
  close(): void;
}

/**
 * Changes the entries of a held folder, one name at a time, none of them followed if it is a link. Names as for
 * `child`. All throw the system's error.
 */
export interface FolderWriter {
  makeFolder(name: string): void;
  /** Only an empty one. */
  removeFolder(name: string): void;
  /** A file under a name that is free, EEXIST otherwise; whole and on the disk when this returns. */
  create(name: string, file: NewFile): void;
  /** Gives a file a name that is free, EEXIST otherwise. */
  place(from: string, to: string): void;
  /** Gives a file the name of another, which is gone at that moment. */
  replace(from: string, to: string): void;
  remove(name: string): void;
  /** What changed in this folder is on the disk when this returns, where the file system can do that. */
  sync(): void;
}

/** `mode`: permission bits, else what the umask leaves of 0666. The owner is given where the system allows it. */
export type NewFile = {
  readonly bytes: Uint8Array;
  readonly mode: number | undefined;
  readonly owner: number | undefined;
  readonly group: number | undefined;
};

/** The path of an entry of a folder. */
export function pathIn(folder: string, name: string): string {
  return folder === "." ? name : `${folder}/${name}`;
}
