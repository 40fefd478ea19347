/**
 * Contents by their SHA-256, as they were, each a file of its own in one folder. A content is whole or not there: it is
 * written under another name, flushed, and renamed. It never changes after that, so folders share one by hard links, and
 * removing a folder takes nothing from the others.
 */

import { createHash, hash as hashOf, randomBytes } from "node:crypto";
import {
  closeSync,
  copyFileSync,
  constants,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { Failure } from "../../error.ts";
import { codeOf } from "../place/system.ts";
import type { Hash } from "../fence.ts";

/** Bytes held at a time where a content is hashed. */
const pieceBytes = 1 << 18;

/** `durable`: it survives a crash of the machine, once the folder has been flushed too. */
type Keeping = { durable: boolean };

/** SHA-256, hex. */
export function sha256(bytes: Uint8Array): Hash {
  return hashOf("sha256", bytes);
}

/** Whether a content is kept in a folder. */
export function hasObject(folder: string, hash: Hash): boolean {
  return existsSync(pathOf(folder, hash));
}

/** Where a content lies. */
export function pathOf(folder: string, hash: Hash): string {
  return `${folder}/${hash}`;
}

/** Keeps bytes under their hash. Throws the system's error. */
export function putObject(folder: string, hash: Hash, bytes: Uint8Array, { durable }: Keeping): void {
  if (hasObject(folder, hash)) return;
  const temporary = temporaryIn(folder);
  try {
    const descriptor = openSync(temporary, "wx", 0o600);
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
      if (durable) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, pathOf(folder, hash));
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * Keeps a file of any size, by a path that leads to it and nowhere else; the hash is that of what was kept. Blocks are
 * shared with the file where the file system can. Throws the system's error.
 */
export function putFile(folder: string, file: string, { durable }: Keeping): Hash {
  const temporary = temporaryIn(folder);
  try {
    copyFileSync(file, temporary, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    const descriptor = openSync(temporary, "r+");
    try {
      const hash = hashOfPieces((into, position) => readSync(descriptor, into, 0, into.length, position));
      if (hasObject(folder, hash)) return hash;
      if (durable) fsyncSync(descriptor);
      renameSync(temporary, pathOf(folder, hash));
      return hash;
    } finally {
      closeSync(descriptor);
    }
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Takes a content over from another folder; false if it is not there. Throws the system's error. */
export function takeObject(folder: string, hash: Hash, from: string): boolean {
  try {
    linkSync(pathOf(from, hash), pathOf(folder, hash));
    return true;
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code === "EEXIST") return true;
    if (code === "ENOENT") return false;
    return copied(folder, hash, from);
  }
}

/** Where the file system knows no hard links, or has no room for another one. */
function copied(folder: string, hash: Hash, from: string): boolean {
  if (!hasObject(from, hash)) return false;
  putFile(folder, pathOf(from, hash), { durable: true });
  return true;
}

/** Throws E_UNDO_DAMAGED where the content is not there, or not what it was. */
export function getObject(folder: string, hash: Hash): Uint8Array {
  try {
    const bytes = readFileSync(pathOf(folder, hash));
    if (sha256(bytes) === hash) return bytes;
  } catch (thrown) {
    if (codeOf(thrown) !== "ENOENT") throw thrown;
  }
  throw new Failure("E_UNDO_DAMAGED", "What this file held before is no longer kept whole.", {
    remedy: `The copy should lie at ${pathOf(folder, hash)}.`,
  });
}

/** The hash of a file that is read piece by piece, from its start. Throws the system's error. */
export function hashOfPieces(read: (into: Uint8Array, position: number) => number): Hash {
  const digest = createHash("sha256");
  const piece = new Uint8Array(pieceBytes);
  for (let at = 0, count = -1; count !== 0; at += count) {
    count = read(piece, at);
    digest.update(piece.subarray(0, count));
  }
  return digest.digest("hex");
}

/** Makes a content durable that was kept otherwise. Throws the system's error. */
export function flushObject(folder: string, hash: Hash): void {
  const descriptor = openSync(pathOf(folder, hash), "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Bytes of a content, undefined where it is not kept. */
export function sizeOf(folder: string, hash: Hash): number | undefined {
  return lstatSync(pathOf(folder, hash), { throwIfNoEntry: false })?.size;
}

function temporaryIn(folder: string): string {
  return `${folder}/.new-${randomBytes(6).toString("hex")}`;
}
