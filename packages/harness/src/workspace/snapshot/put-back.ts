/**
 * Puts one path from one state into another, through held folders, no link followed: what swaps a folder for a link
 * meanwhile leads nothing elsewhere. A file is written beside its place and renamed, so that it is whole at every
 * moment; bytes and mode change at once.
 */

import { randomBytes } from "node:crypto";
import { chmodSync, symlinkSync } from "node:fs";
import { posix } from "node:path";
import { Failure } from "../../error.ts";
import type { Spot } from "../fence/spot.ts";
import { temporaryName } from "../fence/temporary.ts";
import { pathIn, type Root } from "../place/place.ts";
import { codeOf } from "../place/system.ts";
import { quoted } from "../text/show-path.ts";
import type { State } from "../snapshot.ts";
import { isSame } from "./history.ts";
import { presentIn, withSpot } from "./present.ts";

/** `to` is what shall stand at the path, where `from` stands now. */
export type Step = { path: string; from: State | null; to: State | null };

export type PutBack = {
  root: Root;
  /** What a file holds. */
  contentOf: (hash: string) => Uint8Array;
  /** Told of a temporary file before it is made, by its path. */
  onTemporary: (path: string) => void;
  /** Told after every step on the disk. For tests. */
  observe: (did: string, path: string) => void;
};

/**
 * Takes away what stands at the path, if it is still what it was. False for a folder that holds something. Throws
 * Failure E_STALE, and the system's error.
 */
export function takeAway({ root, observe }: PutBack, { path, from }: Step): boolean {
  const gone = inFolder(root, path, (spot) => {
    expect(spot, path, from);
    const writer = spot.folder.writer();
    if (from?.kind !== "folder") writer.remove(spot.name);
    else if (!removed(() => writer.removeFolder(spot.name))) return false;
    writer.sync();
    return true;
  });
  if (gone) observe("removed", path);
  return gone;
}

/**
 * Puts there what shall stand at the path, a folder without its mode. Folders on the way are made. Throws Failure
 * E_STALE, E_UNDO_DAMAGED, and the system's error.
 */
export function putThere(parts: PutBack, { path, from: now, to }: Step): void {
  makeFolders(parts, path);
  inFolder(parts.root, path, (spot) => {
    expect(spot, path, now);
    if (to?.kind === "folder" && now === null) spot.folder.writer().makeFolder(spot.name);
    else if (to?.kind === "link") putLink(parts, spot, now, to.target);
    else if (to?.kind === "file") putFile(parts, spot, now, to);
    spot.folder.writer().sync();
  });
  parts.observe("put", path);
}

/**
 * Gives a folder its mode, once all that belongs in it has been put there: it may forbid just that. Throws Failure
 * E_STALE, and the system's error.
 */
export function setFolderMode({ root, observe }: PutBack, path: string, mode: number): void {
  inFolder(root, path, ({ found }) => {
    if (found?.kind !== "directory") throw changed(path);
    if (found.mode !== mode) chmodSync(found.systemPath(), mode);
  });
  observe("mode", path);
}

function putLink(parts: PutBack, spot: Spot, now: State | null, target: string): void {
  const { folder, name, path } = spot;
  if (now === null) {
    symlinkSync(target, `${folder.systemPath()}/${name}`);
    return;
  }
  const temporary = newTemporary(parts, path);
  symlinkSync(target, `${folder.systemPath()}/${temporary}`);
  renamed(parts, spot, now, temporary);
}

function putFile(parts: PutBack, spot: Spot, now: State | null, to: State & { kind: "file" }): void {
  const { folder, path, found } = spot;
  if (now?.kind === "file" && now.hash === to.hash && found !== undefined) {
    chmodSync(found.systemPath(), to.mode);
    return;
  }
  const bytes = parts.contentOf(to.hash);
  const temporary = newTemporary(parts, path);
  folder.writer().create(temporary, { bytes, mode: to.mode, owner: found?.owner, group: found?.group });
  renamed(parts, spot, now, temporary);
}

/** Gives what waits its name, unless something else stands there by now; then what waits is gone. */
function renamed(parts: PutBack, { folder, name, path }: Spot, now: State | null, temporary: string): void {
  const writer = folder.writer();
  let isPlaced = false;
  try {
    parts.observe("staged", path);
    inFolder(parts.root, path, (again) => expect(again, path, now));
    if (now === null) writer.place(temporary, name);
    else writer.replace(temporary, name);
    isPlaced = true;
  } finally {
    if (!isPlaced) writer.remove(temporary);
  }
}

/** The name is written down before it is used: a crash can leave it behind. */
function newTemporary({ onTemporary }: PutBack, path: string): string {
  const name = temporaryName(randomBytes(8));
  onTemporary(pathIn(posix.dirname(path), name));
  return name;
}

function makeFolders({ root, observe }: PutBack, path: string): void {
  for (let missing = firstMissing(root, path); missing !== undefined; missing = firstMissing(root, path)) {
    inFolder(root, missing, ({ folder, name }) => folder.writer().makeFolder(name));
    observe("made", missing);
  }
}

/** The outermost folder on the way to a path that is not there. */
function firstMissing(root: Root, path: string): string | undefined {
  return inFolder(root, path, ({ folder, missing }) =>
    missing[0] === undefined ? undefined : pathIn(folder.path, missing[0]),
  );
}

function inFolder<T>(root: Root, path: string, act: (spot: Spot) => T): T {
  const done = withSpot(root, path, (spot) => ({ value: act(spot) }));
  if (done === undefined) throw changed(path);
  return done.value;
}

/** The mode of a folder is changed on the way. */
function expect(spot: Spot, path: string, state: State | null): void {
  const now = presentIn(spot);
  const isFolder = now?.kind === "folder" && state?.kind === "folder";
  if (!isFolder && (now === undefined || !isSame(now, state))) throw changed(path);
}

function changed(path: string): Failure {
  return new Failure("E_STALE", `${quoted(path)} changed at this very moment.`, { remedy: "Undo once more." });
}

/** False if the folder holds something. */
function removed(remove: () => void): boolean {
  try {
    remove();
    return true;
  } catch (thrown) {
    if (["ENOTEMPTY", "EEXIST"].includes(codeOf(thrown) ?? "")) return false;
    throw thrown;
  }
}
