/**
 * The state of the files that are not ignored, kept from one command to the next and from one run to the next: an index
 * of what was seen, and the contents it names. Each belongs to one process, and its name says which. That of a process
 * that is gone is taken over by renaming it, so only one can.
 *
 *     base-<process>/index.json  base-<process>/objects/<sha256>
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { fieldsOf, listIn, numberIn } from "../../json.ts";
import type { State } from "../snapshot.ts";
import { sizeOf } from "./objects.ts";
import { isLeftProcess, processName } from "../../process/system/owner.ts";
import { stateIn } from "./record.ts";

/**
 * An entry as it was last seen. `recent`: so soon after a change that another one could hide behind the same times.
 * `round`: of the scan that saw it. Times are in milliseconds.
 */
export type Seen = {
  state: State;
  size: number;
  modified: number;
  changed: number;
  inode: number;
  recent: boolean;
  round: number;
};
export type Index = Map<string, Seen>;

export type Base = {
  readonly folder: string;
  readonly objects: string;
  readonly index: Index;
  /** The process before was ended while a command ran. */
  readonly wasRunning: boolean;
};

/** The hash of a file that is not covered; none has it. */
export const notKept = "";

const prefix = "base-";

/** Takes over what a process that is gone has left, or begins anew. Throws the system's error. */
export function openBase(store: string): Base {
  mkdirSync(store, { recursive: true, mode: 0o700 });
  const folder = `${store}/${prefix}${processName()}`;
  const left = readdirSync(store).filter((name) => name.startsWith(prefix) && isLeftProcess(name.slice(prefix.length)));
  const taken = left.find((name) => isRenamed(`${store}/${name}`, folder));
  for (const name of left) rmSync(`${store}/${name}`, { recursive: true, force: true });
  const objects = `${folder}/objects`;
  mkdirSync(objects, { recursive: true, mode: 0o700 });
  const wasRunning = existsSync(`${folder}/running`);
  return { folder, objects, wasRunning, index: taken === undefined ? new Map() : readIndex(folder, objects) };
}

/** Notes that a command runs. Throws the system's error. */
export function noteBegun({ folder }: Base): void {
  writeFileSync(`${folder}/running`, "", { mode: 0o600 });
}

/** Notes that none does any more. Throws the system's error. */
export function noteEnded({ folder }: Base): void {
  rmSync(`${folder}/running`, { force: true });
}

/** Writes the index down, and removes the contents that it does not name. Throws the system's error. */
export function saveBase({ folder, objects, index }: Base): void {
  const named = new Set<string>();
  for (const { state } of index.values()) if (state.kind === "file") named.add(state.hash);
  for (const name of readdirSync(objects)) if (!named.has(name)) rmSync(`${objects}/${name}`, { force: true });
  const made = `${folder}/index.new`;
  writeFileSync(made, JSON.stringify({ entries: [...index] }), { mode: 0o600 });
  renameSync(made, `${folder}/index.json`);
}

/** Removes it: there is nothing in it that could not be found again. */
export function removeBase({ folder }: Base): void {
  rmSync(folder, { recursive: true, force: true });
}

function isRenamed(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch {
    return false; // another process was quicker
  }
}

/** What cannot be read is looked at anew; so is a file whose content did not reach the disk. */
function readIndex(folder: string, objects: string): Index {
  const index: Index = new Map();
  try {
    const text = readFileSync(`${folder}/index.json`, "utf8");
    for (const entry of listIn(fieldsOf(JSON.parse(text)), "entries")) {
      const [path, value] = Array.isArray(entry) ? (entry as unknown[]) : [];
      const seen = seenIn(value);
      if (typeof path !== "string" || seen === undefined) continue;
      if (seen.state.kind !== "file" || sizeOf(objects, seen.state.hash) === seen.size) index.set(path, seen);
    }
  } catch {
    return new Map();
  }
  return index;
}

function seenIn(value: unknown): Seen | undefined {
  const fields = fieldsOf(value);
  const state = stateIn(fields["state"]);
  const [size, modified, changed, inode] = ["size", "modified", "changed", "inode"].map((key) => numberIn(fields, key));
  if (state === undefined || state === null || size === undefined || inode === undefined) return undefined;
  if (modified === undefined || changed === undefined) return undefined;
  return { state, size, modified, changed, inode, recent: fields["recent"] !== false, round: 0 };
}
