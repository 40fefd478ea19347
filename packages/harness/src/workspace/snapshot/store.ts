/**
 * The store on disk: a folder for each record, numbered in the order in which they were begun, with its lines and the
 * contents they name. A folder is made under another name and renamed to the first number that is free, so the order
 * needs neither clock nor lock. Only the process that made a record writes to it while it lives, so no two tear each
 * other's lines; and a record is whole in itself, so an old one is removed by removing its folder.
 *
 *     000012/lines.jsonl  000012/objects/<sha256>
 */

import { randomBytes } from "node:crypto";
import {
  closeSync,
  fdatasyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { Failure, messageOf } from "../../error.ts";
import { seal } from "../../seal.ts";
import { codeOf, syncFolder } from "../place/system.ts";
import { isAlive, type Owner } from "../../process/system/owner.ts";
import { readRecord, type Header, type Line, type UndoRecord } from "./record.ts";

/** What is kept of the past: so many records, so many bytes; the oldest go first. */
export type Limits = { records: number; bytes: number };

/** Milliseconds after which a record that is being made no longer is. */
const staleAfter = 3_600_000;

/** A record that is being written. */
export type Writer = {
  readonly number: number;
  /** The folder of its contents. */
  readonly objects: string;
  /** Throws E_UNDO_UNWRITABLE. */
  append(line: Line): void;
  /** On the disk when it returns, the contents as well. Throws E_UNDO_UNWRITABLE. */
  appendDurably(line: Line): void;
  close(): void;
};

/** The numbers of all records, ascending. Throws E_UNDO_UNREADABLE. */
function numbersIn(store: string): number[] {
  return namesIn(store)
    .filter((name) => /^\d{6,}$/.test(name))
    .map(Number)
    .sort((one, other) => one - other);
}

/** Every record, oldest first. Throws E_UNDO_UNREADABLE. */
export function recordsIn(store: string): UndoRecord[] {
  return numbersIn(store).map((number) => readRecord(number, `${folderOf(store, number)}/lines.jsonl`));
}

/** The contents of a record. */
export function objectsOf(store: string, number: number): string {
  return `${folderOf(store, number)}/objects`;
}

/** Whether the process that writes a record still runs and has not come to its end. */
export function isOpen(record: UndoRecord): record is UndoRecord & { header: Header & { owner: Owner } } {
  return record.end === undefined && record.header !== undefined && isAlive(record.header.owner);
}

/** Begins a record; it has the highest number. Throws E_UNDO_UNWRITABLE. */
export function createRecord(store: string, header: Header): Writer {
  return orUnwritable(store, () => {
    mkdirSync(store, { recursive: true, mode: 0o700 });
    const made = `${store}/.new-${randomBytes(6).toString("hex")}`;
    mkdirSync(`${made}/objects`, { recursive: true, mode: 0o700 });
    const descriptor = openSync(`${made}/lines.jsonl`, "ax", 0o600);
    writeLine(descriptor, { type: "begin", ...header });
    const number = settle(store, made);
    syncFolder(store);
    return writerOf(store, number, descriptor);
  });
}

/**
 * Goes on with a record whose process is gone, to write down what became of it; undefined if it is no longer there.
 * Throws E_UNDO_UNWRITABLE.
 */
export function continueRecord(store: string, number: number): Writer | undefined {
  return orUnwritable(store, () => {
    if (!isTaken(store, number)) return undefined;
    const descriptor = openSync(`${folderOf(store, number)}/lines.jsonl`, "a", 0o600);
    // A torn last line must not take the next one with it.
    writeSync(descriptor, "\n");
    return writerOf(store, number, descriptor);
  });
}

/** Removes a record and all it kept. Whoever reads it at this moment finds it whole, or finds it gone. */
export function removeRecord(store: string, number: number): void {
  const aside = `${store}/.old-${randomBytes(6).toString("hex")}`;
  try {
    renameSync(folderOf(store, number), aside);
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") return; // another process was quicker
    throw thrown;
  }
  rmSync(aside, { recursive: true, force: true });
}

/**
 * Removes the oldest records beyond the limits, and what a crash left of making or removing one. Those being written
 * stay. Contents that records share count once.
 */
export function prune(store: string, limits: Limits): void {
  const seen = new Set<number>();
  let bytes = 0;
  const numbers = numbersIn(store).toReversed();
  for (const [age, number] of numbers.entries()) {
    bytes += newBytesIn(objectsOf(store, number), seen);
    if (age < limits.records && bytes <= limits.bytes) continue;
    const stays = age === 0 || isOpen(readRecord(number, `${folderOf(store, number)}/lines.jsonl`));
    if (!stays) removeRecord(store, number);
  }
  for (const name of namesIn(store)) {
    if (isLeftBehind(store, name)) rmSync(`${store}/${name}`, { recursive: true, force: true });
  }
}

/** What is being made is made within a moment. */
function isLeftBehind(store: string, name: string): boolean {
  if (name.startsWith(".old-")) return true;
  const found = name.startsWith(".new-") ? lstatSync(`${store}/${name}`, { throwIfNoEntry: false }) : undefined;
  return found !== undefined && found.mtimeMs < Date.now() - staleAfter;
}

function writerOf(store: string, number: number, descriptor: number): Writer {
  const objects = objectsOf(store, number);
  let open = true;
  return {
    number,
    objects,
    append: (line) => orUnwritable(store, () => writeLine(descriptor, line)),
    appendDurably(line) {
      orUnwritable(store, () => {
        syncFolder(objects);
        writeLine(descriptor, line);
        fdatasyncSync(descriptor);
      });
    },
    close() {
      if (open) closeSync(descriptor);
      open = false;
    },
  };
}

/** In one call where the system takes it in one. */
function writeLine(descriptor: number, line: Line): void {
  const bytes = Buffer.from(`${seal(JSON.stringify(line))}\n`);
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
}

/** Gives a folder the first free number above all others. */
function settle(store: string, made: string): number {
  for (let number = (numbersIn(store).at(-1) ?? 0) + 1; ; number++) {
    try {
      renameSync(made, folderOf(store, number));
      return number;
    } catch (thrown) {
      if (!["ENOTEMPTY", "EEXIST", "EPERM"].includes(codeOf(thrown) ?? "") || !isTaken(store, number)) throw thrown;
    }
  }
}

function isTaken(store: string, number: number): boolean {
  return lstatSync(folderOf(store, number), { throwIfNoEntry: false }) !== undefined;
}

function newBytesIn(objects: string, seen: Set<number>): number {
  let bytes = 0;
  for (const name of namesIn(objects)) {
    const found = lstatSync(`${objects}/${name}`, { throwIfNoEntry: false });
    if (found === undefined || seen.has(found.ino)) continue;
    seen.add(found.ino);
    bytes += found.size;
  }
  return bytes;
}

function folderOf(store: string, number: number): string {
  return `${store}/${String(number).padStart(6, "0")}`;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") return [];
    throw new Failure("E_UNDO_UNREADABLE", `What undo has kept cannot be read: ${messageOf(thrown)}.`, {
      remedy: `Make ${folder} a folder that you may read and write.`,
      cause: thrown,
    });
  }
}

/** Runs what writes to the store, and says in words what hinders it. */
export function orUnwritable<T>(store: string, act: () => T): T {
  try {
    return act();
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    throw new Failure("E_UNDO_UNWRITABLE", `What is there now cannot be kept for undo: ${messageOf(thrown)}.`, {
      remedy: `Make room, or make ${store} a folder that you may write to.`,
      cause: thrown,
    });
  }
}
