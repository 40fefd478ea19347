/**
 * Race-free access below a root on Linux, with nothing but /proc. A descriptor opened with O_PATH holds an inode and
 * permits nothing: no device is touched, no FIFO waits. /proc/self/fd/N tells where that inode is, and opening
 * /proc/self/fd/N opens that inode and no other. So a path is looked up once, judged by where it led, and never looked
 * up again.
 *
 * What may not follow links at all (walking a tree, and whatever writes) goes folder by folder through `child`: one
 * name, relative to a held folder, with O_NOFOLLOW.
 */

import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, statfsSync } from "node:fs";
import { Failure } from "../../error.ts";
import { folderWriter } from "./folder-writer.ts";
import { pathIn, type FolderEntry, type FolderWriter, type Place, type Reader, type Root } from "./place.ts";
import { entriesOf, identityOf, ifReachable, kindOf, madeFrom, nowOf, permissionBits, readerOf } from "./system.ts";
import type { FileNow, Kind } from "../fence.ts";

/** Not in Node's constants; the same on every Linux that Node runs on. */
const O_PATH = 0x20_0000;
const procMagic = 0x9fa0;

/** Whether this system has what the mechanism needs. */
export function hasBeneath(): boolean {
  if (process.platform !== "linux") return false;
  return ifReachable(() => statfsSync("/proc/self/fd").type) === procMagic;
}

/** Throws the system's error if the folder cannot be held. The folder itself may be reached through links. */
export function openBeneath(folder: string): Root {
  const descriptor = openSync(folder, O_PATH | constants.O_DIRECTORY);
  const top = madeFrom(descriptor, () => new HeldPlace(descriptor, "."));
  return {
    path: decode(whereIs(top.systemPath())),
    top,
    resolve(path) {
      const descriptor = ifReachable(() => openSync(`${top.systemPath()}/${path}`, O_PATH));
      if (descriptor === undefined) return undefined;
      return madeFrom(descriptor, () => {
        const below = pathBelow(top.systemPath(), descriptor);
        return below === undefined ? undefined : new HeldPlace(descriptor, below);
      });
    },
    release: () => top.release(),
  };
}

class HeldPlace implements Place {
  readonly path: string;
  readonly kind: Kind;
  readonly size: number;
  readonly owner: number;
  readonly group: number;
  readonly mode: number;
  #descriptor: number | undefined;

  constructor(descriptor: number, path: string) {
    const stats = fstatSync(descriptor);
    this.#descriptor = descriptor;
    this.path = path;
    this.kind = kindOf(stats);
    this.size = stats.size;
    this.owner = stats.uid;
    this.group = stats.gid;
    this.mode = stats.mode & permissionBits;
  }

  identity(): string {
    return identityOf(fstatSync(this.#held(), { bigint: true }));
  }

  child(name: string): Place | undefined {
    const entry = `${this.systemPath()}/${name}`;
    const descriptor = ifReachable(() => openSync(entry, O_PATH | constants.O_NOFOLLOW));
    if (descriptor === undefined) return undefined;
    return madeFrom(descriptor, () => new HeldPlace(descriptor, pathIn(this.path, name)));
  }

  entries(): Iterable<FolderEntry> {
    return entriesOf(this.systemPath());
  }

  open(): Reader {
    return readerOf(openSync(this.systemPath(), constants.O_RDONLY | constants.O_NOCTTY));
  }

  now(): FileNow {
    return nowOf(this.#held());
  }

  writer(): FolderWriter {
    return folderWriter(() => this.systemPath());
  }

  systemPath(): string {
    return self(this.#held());
  }

  #held(): number {
    // The number of a closed descriptor may already be another file's.
    if (this.#descriptor === undefined) throw new Failure("E_RELEASED", "This place is no longer held.");
    return this.#descriptor;
  }

  release(): void {
    if (this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

/**
 * Where a descriptor leads, relative to the root; undefined if not below it, or under names that are not UTF-8: these
 * cannot be told from each other in a path. The root is asked anew each time: it may have been renamed, and something
 * else may now bear its old name.
 */
function pathBelow(root: string, descriptor: number): string | undefined {
  const folder = whereIs(root);
  const where = whereIs(self(descriptor));
  if (where === folder) return ".";
  const prefix = folder === "/" ? folder : `${folder}/`;
  if (!where.startsWith(prefix)) return undefined;
  const path = where.slice(prefix.length);
  // So /proc marks a name that was removed. The file may have other names, and others may really be called so.
  if (where.endsWith(" (deleted)") && !leadsTo(`${root}/${path}`, descriptor)) return undefined;
  return isUtf8(Buffer.from(path, "latin1")) ? decode(path) : undefined;
}

function leadsTo(path: string, descriptor: number): boolean {
  const found = lstatSync(Buffer.from(path, "latin1"), { bigint: true, throwIfNoEntry: false });
  const held = fstatSync(descriptor, { bigint: true });
  return found?.ino === held.ino && found.dev === held.dev;
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
