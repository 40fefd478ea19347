/**
 * Race-free access below a root on Linux, with nothing but /proc. A descriptor opened with O_PATH holds an inode and permits
 * nothing: no device is touched, no FIFO waits. /proc/self/fd/N tells where that inode is, and opening /proc/self/fd/N opens
 * that inode and no other. So a path is looked up once, judged by where it led, and never looked up again.
 *
 * What may not follow links at all (walking a tree, and whatever writes) goes folder by folder through `child`: one name,
 * relative to a held folder, with O_NOFOLLOW.
 */

import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, statfsSync, type Stats } from "node:fs";
import { Failure } from "../error.ts";
import { pathIn, type Named, type Place, type Reader, type Root } from "./place.ts";
import { entriesOf, ifReachable, kindOf, readerOf } from "./system.ts";
import type { Kind } from "./fence.ts";

/** Not in Node's constants; the same on every Linux that Node runs on. */
const O_PATH = 0x20_0000;
const procMagic = 0x9fa0;

/** Whether this system has what the mechanism needs. */
export function hasBeneath(): boolean {
  if (process.platform !== "linux") return false;
  return ifReachable(() => statfsSync("/proc/self/fd").type) === procMagic;
}

/** Throws the system's error if the folder can not be held. The folder itself may be reached through links. */
export function openBeneath(folder: string): Root {
  const top = hold(openSync(folder, O_PATH | constants.O_DIRECTORY), () => ".");
  if (top === undefined) throw new Failure("E_NOT_FOUND", "The folder was removed while it was opened.");
  return {
    path: decode(whereIs(top.systemPath())),
    top,
    resolve(path) {
      const descriptor = ifReachable(() => openSync(`${top.systemPath()}/${path}`, O_PATH));
      if (descriptor === undefined) return undefined;
      return hold(descriptor, (stats) => pathBelow(top.systemPath(), self(descriptor), stats));
    },
    release: () => top.release(),
  };
}

class Held implements Place {
  readonly path: string;
  readonly kind: Kind;
  readonly size: number;
  #descriptor: number | undefined;

  constructor(descriptor: number, path: string, stats: Stats) {
    this.#descriptor = descriptor;
    this.path = path;
    this.kind = kindOf(stats);
    this.size = stats.size;
  }

  child(name: string): Place | undefined {
    const entry = `${this.systemPath()}/${name}`;
    const descriptor = ifReachable(() => openSync(entry, O_PATH | constants.O_NOFOLLOW));
    return descriptor === undefined ? undefined : hold(descriptor, () => pathIn(this.path, name));
  }

  entries(): Iterable<Named> {
    return entriesOf(this.systemPath());
  }

  open(): Reader {
    return readerOf(openSync(this.systemPath(), constants.O_RDONLY | constants.O_NOCTTY));
  }

  systemPath(): string {
    // The number of a closed descriptor may already be another file's.
    if (this.#descriptor === undefined) throw new Failure("E_RELEASED", "This place is no longer held.");
    return self(this.#descriptor);
  }

  release(): void {
    if (this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

/** Takes over the descriptor: closes it unless its inode still has a name and `locate` finds a path for it. */
function hold(descriptor: number, locate: (stats: Stats) => string | undefined): Held | undefined {
  let held: Held | undefined;
  try {
    const stats = fstatSync(descriptor);
    const path = stats.nlink === 0 ? undefined : locate(stats);
    if (path !== undefined) held = new Held(descriptor, path, stats);
    return held;
  } finally {
    if (held === undefined) closeSync(descriptor);
  }
}

/**
 * Where a descriptor leads, relative to the root; undefined if not below it. The root is asked anew each time: it may have
 * been renamed, and something else may now bear its old name.
 */
function pathBelow(root: string, place: string, stats: Stats): string | undefined {
  const folder = whereIs(root);
  const where = whereIs(place);
  if (where === folder) return ".";
  const prefix = folder === "/" ? folder : `${folder}/`;
  if (!where.startsWith(prefix)) return undefined;
  const path = where.slice(prefix.length);
  // Either its real name, or one of several hard links was removed just now and this is no name at all.
  if (where.endsWith(" (deleted)") && !names(`${root}/${path}`, stats)) return undefined;
  return decode(path);
}

function names(path: string, stats: Stats): boolean {
  const found = lstatSync(Buffer.from(path, "latin1"), { throwIfNoEntry: false });
  return found?.ino === stats.ino && found.dev === stats.dev;
}

function self(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}

/** Bytes as characters: decoded as UTF-8, two folders with different names that are not UTF-8 could look like one. */
function whereIs(place: string): string {
  return readlinkSync(place, "latin1");
}

function decode(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}
