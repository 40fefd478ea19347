/**
 * The port of the fence: race-free access below one pinned root, under one policy. It asks nobody, so tools never hold
 * one. Everything here throws Failure: lexical refusals each tell the next step, whatever is found by following links
 * gets one message, and what the policy denies is said to be denied (workspace.ts hides the difference in strict mode).
 * The policy judges where a path leads, never how it was spelled. A hard link is a second name of a file and is judged
 * by that name: a denied file linked under a harmless one beforehand can be read, for no system call tells. A pin that
 * was disposed, or made by another fence, is E_RELEASED.
 */

import type { Access, PathVerdict, Policy } from "../policy/policy.ts";
import type { Change, Plan } from "./change.ts";

export type { Hash } from "./change.ts";

export type Kind = "file" | "directory" | "link" | "other";
export type Entry = { path: string; kind: Kind };

/**
 * A stream of findings that ends with exactly one `done` item. `complete: false` means the source stopped early or
 * could not look somewhere; `skipped` says what was left out, in words for the model (also entries ignored on purpose).
 */
export type Scan<T> = AsyncIterable<T | Done>;
/** The last frame of a scan. `complete`: nothing was left out; `skipped`: what was, in words. */
export type Done = { done: true; complete: boolean; skipped?: string | undefined };

/**
 * Which entries of a folder to list. `depth` 1 is the folder's own entries; absent means all the way down. `glob` is
 * relative to the listed folder, without a slash it matches names at any depth; folders that do not match are still
 * looked into.
 */
export type ListOptions = {
  depth?: number | undefined;
  glob?: string | undefined;
  /** A second glob, in which letter case does not count; what matches either is listed. */
  iglob?: string | undefined;
  /** False: without names that begin with a dot. */
  hidden?: boolean | undefined;
  /** With what ignore files leave out. */
  ignored?: boolean | undefined;
};

/**
 * A place below the root, held open by descriptor: what is asked about is what is read, whatever is renamed meanwhile.
 */
export interface Pinned extends Disposable {
  /** As resolved, relative to the root, posix separators; "." is the root. */
  readonly path: string;
  /** Links are followed, so "link" is never pinned. */
  readonly kind: Kind;
  /** Bytes. */
  readonly size: number;
  /** User id; undefined where files have no owner. */
  readonly owner: number | undefined;
  /** Permission bits. */
  readonly mode: number;
  /** allow or ask: what is denied is not pinned. */
  readonly verdict: PathVerdict;
}

/**
 * A file as it is at some moment. Times in nanoseconds: `modified` is of its bytes and can be set to any, `changed` cannot,
 * but is also of its name and mode. `links`: names that it has, 0 once it is deleted.
 */
export type FileNow = {
  readonly size: number;
  readonly modified: bigint;
  readonly changed: bigint;
  readonly links: number;
};

/** A file open for reading. Positions are bytes from its start; 0 bytes read means its end. */
export interface OpenFile {
  read(into: Uint8Array, position: number): Promise<number>;
  close(): void;
}

/**
 * Access to files below one root that nothing can lead outside. It asks nobody: a `Workspace` has the gate in front of
 * it.
 */
export interface Fence {
  /** The real path of the root as it was when pinned. */
  readonly root: string;
  readonly policy: Policy;
  /**
   * Resolves and holds a place. Never opens a FIFO, socket or device. Throws E_NOT_FOUND, E_DENIED, or a lexical
   * refusal: E_EMPTY_PATH, E_BAD_PATH, E_PATH_TOO_LONG, E_OUTSIDE_ROOT, E_HOME_PATH, E_DRIVE_PATH, E_NETWORK_PATH,
   * E_DEVICE_PATH.
   */
  pin(path: string, access: Access): Pinned;
  /**
   * The bytes of a pinned file, read through its descriptor, never more than its size when pinned. `start` is the first
   * byte, `end` the one after the last. Throws E_IS_FOLDER, E_NOT_REGULAR, E_UNREADABLE.
   */
  bytes(file: Pinned, range?: { start: number; end: number }): AsyncIterable<Uint8Array>;
  /**
   * Opens a pinned file for reading in any order, also what was put behind its end since. To be closed before the pin is
   * disposed. Throws as `bytes` does.
   */
  open(file: Pinned): OpenFile;
  /** How a pinned file is by now, renamed or not. Throws as `bytes` does. */
  now(file: Pinned): FileNow;
  /** Everything of a pinned file no larger than `limit` bytes; E_TOO_LARGE otherwise. Throws as `bytes` does. */
  content(file: Pinned, limit: number): Uint8Array;
  /**
   * Entries below a pinned folder in path order, ignore files honoured, links never followed, denied entries left out
   * without a word. Throws E_NOT_FOLDER, E_BAD_GLOB, E_UNREADABLE, and the signal's reason when aborted.
   */
  list(folder: Pinned, options: ListOptions, signal: AbortSignal): Scan<Entry>;
  /** A working directory for a child process that stays the pinned folder whatever is renamed. */
  cwd(folder: Pinned): string;
  /** A working directory and a name in it by which a child process finds this very file, where the system allows it. */
  nameOf(file: Pinned): { cwd: string; file: string };
  /**
   * Works changes out against what is there and holds every place; nothing is written. Links are followed, so a link
   * stays a link and its target changes; a new file's folders are made on the way. Throws E_STALE and E_NOT_FOUND for
   * what is not there as planned upon, E_EXISTS, E_SAME_FILE for two changes of one file, E_IS_LINK for a removal through
   * a link, E_DENIED, E_TOO_LARGE for a file of more than `maxChangedBytes`, E_IS_FOLDER, E_NOT_FOLDER, E_NOT_REGULAR,
   * E_UNREADABLE, and the lexical refusals.
   */
  plan(changes: readonly Change[]): Promise<Plan>;
  /**
   * Removes what a crash left of a change, by `PlannedFile.temporary`: a regular file under a name that only plans
   * give, no link followed on the way. False if there is none.
   */
  sweep(temporary: string): boolean;
  /** Lets the root go. */
  close(): void;
}
