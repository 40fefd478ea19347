/**
 * Access below a root where there is no Linux /proc (macOS, Windows): resolve, check, open without following, then
 * compare the inode and resolve again. A link planted beforehand never leads out. What this leaves: a process that
 * swaps a folder for a link at just the right moments, twice, can still lead an open astray, and folders are listed by
 * path, so what is listed can be swapped between two checks; likewise what is made, renamed and removed in them. On
 * macOS opening is free of that race (O_NOFOLLOW_ANY); on Windows Node has no means against it. Where beneath.ts works,
 * it is used instead.
 */

import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync, type BigIntStats } from "node:fs";
import path from "node:path";
import { Failure } from "../../error.ts";
import { folderWriter } from "./folder-writer.ts";
import { pathIn, type FolderEntry, type FolderWriter, type Place, type Reader, type Root } from "./place.ts";
import {
  entriesOf,
  identityOf,
  ifReachable,
  isForbidden,
  isUnreachable,
  kindOf,
  madeFrom,
  nowOf,
  permissionBits,
  readerOf,
} from "./system.ts";
import type { FileNow, Kind } from "../fence.ts";

/** Throws the system's error if the folder cannot be opened. */
export function openChecked(folder: string): Root {
  const real = realpathSync.native(folder);
  const top = hold(real, ".");
  if (top?.kind !== "directory") {
    top?.release();
    throw Object.assign(new Error(`Not a folder: ${real}`), { code: "ENOTDIR" });
  }
  return {
    path: real,
    top,
    resolve(asked) {
      top.systemPath();
      // Joined by hand: path.join would take `..` after a link for a step back.
      const led = ifReachable(() => realpathSync.native(`${real}/${asked}`));
      const below = led === undefined ? undefined : pathBelow(real, led);
      return led === undefined || below === undefined ? undefined : hold(led, below);
    },
    release: () => top.release(),
  };
}

/** A regular file is opened at once, so that it stays this file; anything else can only be remembered. */
function hold(real: string, below: string): CheckedPlace | undefined {
  const stats = lstatSync(real, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (stats.isSymbolicLink()) return new CheckedPlace(real, below, stats);
  if (!stats.isFile()) return stillThere(real, stats) ? new CheckedPlace(real, below, stats) : undefined;
  const descriptor = openHere(real);
  if (descriptor === undefined) return undefined;
  return madeFrom(descriptor, () => {
    const opened = fstatSync(descriptor, { bigint: true });
    const same = sameInode(opened, stats) && stillThere(real, stats);
    return same ? new CheckedPlace(real, below, opened, descriptor) : undefined;
  });
}

/**
 * Any link in the path fails the open on macOS, a final one elsewhere; Windows knows no such flag. A FIFO never waits.
 */
function openHere(real: string): number | undefined {
  const noFollow = process.platform === "darwin" ? 0x2000_0000 : (constants.O_NOFOLLOW ?? 0);
  try {
    return openSync(real, constants.O_RDONLY | noFollow | (constants.O_NONBLOCK ?? 0));
  } catch (thrown) {
    // Swapped or gone since it was looked at; a file that may not be read is still there.
    if (isUnreachable(thrown) && !isForbidden(thrown)) return undefined;
    throw thrown;
  }
}

class CheckedPlace implements Place {
  readonly path: string;
  readonly kind: Kind;
  readonly size: number;
  readonly owner: number;
  readonly group: number;
  readonly mode: number;
  readonly #real: string;
  readonly #stats: BigIntStats;
  readonly #descriptor: number | undefined;
  #released = false;

  constructor(real: string, below: string, stats: BigIntStats, descriptor?: number) {
    this.path = below;
    this.kind = kindOf(stats);
    this.size = Number(stats.size);
    this.owner = Number(stats.uid);
    this.group = Number(stats.gid);
    this.mode = Number(stats.mode) & permissionBits;
    this.#real = real;
    this.#stats = stats;
    this.#descriptor = descriptor;
  }

  identity(): string {
    return identityOf(this.#stats);
  }

  child(name: string): Place | undefined {
    const folder = this.systemPath();
    const held = ifReachable(() => hold(`${folder}${path.sep}${name}`, pathIn(this.path, name)));
    if (held === undefined || stillThere(folder, this.#stats)) return held;
    held.release();
    return undefined;
  }

  *entries(): Generator<FolderEntry> {
    const folder = this.#unmoved();
    yield* entriesOf(folder);
    if (!stillThere(folder, this.#stats)) throw moved(this.path);
  }

  /** Reads the descriptor held since the lookup, so it ends with the place. */
  open(): Reader {
    if (this.#descriptor === undefined) throw new Failure("E_NOT_REGULAR", "Only a regular file can be read.");
    const reader = readerOf(this.#descriptor);
    const whileHeld = (): Reader => {
      this.systemPath();
      return reader;
    };
    return {
      readSync: (into, position) => whileHeld().readSync(into, position),
      read: (into, position) => whileHeld().read(into, position),
      close() {},
    };
  }

  now(): FileNow {
    this.systemPath();
    if (this.#descriptor === undefined) throw new Failure("E_NOT_REGULAR", "Only a regular file can be read.");
    return nowOf(this.#descriptor);
  }

  writer(): FolderWriter {
    return folderWriter(() => this.#unmoved());
  }

  #unmoved(): string {
    const folder = this.systemPath();
    if (!stillThere(folder, this.#stats)) throw moved(this.path);
    return folder;
  }

  systemPath(): string {
    if (this.#released) throw new Failure("E_RELEASED", "This place is no longer held.");
    return this.#real;
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }
}

/** Whether a path without links still is one, and still leads to the same inode. */
function stillThere(real: string, stats: BigIntStats): boolean {
  const found = ifReachable(() => (realpathSync.native(real) === real ? lstatSync(real, { bigint: true }) : undefined));
  return found !== undefined && sameInode(found, stats);
}

function sameInode(one: BigIntStats, other: BigIntStats): boolean {
  return identityOf(one) === identityOf(other);
}

function moved(folder: string): Failure {
  return new Failure("E_MOVED", `${folder} was moved or replaced while it was in use.`, { remedy: "List it again." });
}

/** Relative to the root with posix separators; undefined if not below it. */
function pathBelow(root: string, place: string): string | undefined {
  if (place === root) return ".";
  const prefix = root.endsWith(path.sep) ? root : root + path.sep;
  return place.startsWith(prefix) ? place.slice(prefix.length).replaceAll(path.sep, "/") : undefined;
}
