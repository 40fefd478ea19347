/**
 * The port of undo: what was there before each change croft made, kept outside the project, so that a turn can be taken
 * back, and taken up again. It knows nothing of git and never touches it.
 */

import type { Policy } from "../policy/policy.ts";
import type { BeforeImages, Landed } from "./change.ts";
import type { Hash } from "./fence.ts";

/**
 * What stands at a path. `mode`: permission bits; of a folder that croft made they are not known. A link is its target,
 * never followed.
 */
export type State =
  | { kind: "file"; hash: Hash; mode: number }
  | { kind: "link"; target: string }
  | { kind: "folder"; mode?: number | undefined };

/** `null`: nothing stood there. `path`: relative to the root, posix separators. */
export type Changed = { path: string; before: State | null; after: State | null };

export type Cause = "tool" | "command" | "undo" | "redo";

/** `at`: milliseconds since 1970. */
export type TurnInfo = { session: string; task: string; at: number };

/**
 * `interrupted`: croft was killed in it. `partly`: undone but for files that were left alone. `running`: the croft that
 * made it still lives.
 */
export type TurnState = "done" | "undone" | "partly" | "interrupted" | "running";

/** A turn that changed something; `files`: from before its first change to after its last, those that differ. */
export type PastTurn = TurnInfo & { number: number; state: TurnState; files: readonly Changed[] };

/**
 * A path that was not put back, and why, in words. `again`: the system was in the way, not the user, so the next undo
 * (or redo) tries once more.
 */
export type LeftAlone = { path: string; reason: string; again?: true | undefined };

/** Changes, and the record in which their contents are kept; undefined where nothing was recorded. */
export type Recorded = { files: readonly Changed[]; record: number | undefined };

/**
 * What an undo or a redo came to: `files` are those that are now as they should be. `turn`: undefined where there was
 * nothing to take back.
 */
export type Reversal = Recorded & { turn: PastTurn | undefined; left: readonly LeftAlone[] };

/** A change that croft was killed in: which of its files are as they were, which are as they were to be. */
export type Interrupted = {
  number: number;
  cause: Cause;
  task: string;
  old: readonly string[];
  new: readonly string[];
};

/**
 * Both versions of a file: what is there, and what undo would put there; null: no file. `diff` leads from the former to
 * the latter. `kept`: where the latter lies on this disk.
 */
export type Versions = {
  path: string;
  turn: number;
  now: Uint8Array | null;
  before: Uint8Array | null;
  diff: string;
  kept: string | undefined;
};

/**
 * A file from before a session's first change to what is there now, whoever changed it since. `diff`: undefined where
 * it is too large to compare.
 */
export type SinceThen = { path: string; diff: string | undefined };

/** A turn that is going on. It leaves nothing behind unless something is kept in it. */
export interface OpenTurn extends BeforeImages {
  /** What a command has changed. `contents`: the folder in which a `CommandCover` keeps them. */
  commanded(files: readonly Changed[], contents: string): Recorded;
  end(): void;
}

/**
 * What a command has changed. `paths`: all, also where undo does not cover them; `protectedPaths`: new ones that the
 * policy lets nobody write; `notices`: what is to be told, in words.
 */
export type CommandChanges = Recorded & {
  paths: readonly string[];
  protectedPaths: readonly string[];
  notices: readonly string[];
};

/**
 * Undo around commands. Covered are files that are not ignored, up to a limit of bytes in all; where there are more,
 * that is said once. Throws E_UNDO_UNWRITABLE, and the signal's reason.
 */
export interface CommandCover {
  /** Right before a command: what is there now is what it may change. The first call looks at every file. */
  before(signal: AbortSignal): Promise<void>;
  /** Right after it. What changed meanwhile counts as done by the command, and is recorded in the turn. */
  after(turn: Pick<OpenTurn, "commanded">, signal: AbortSignal): Promise<CommandChanges>;
  close(): void;
}

/**
 * One project's undo. Throws Failure: E_UNDO_UNWRITABLE where the store cannot be written, E_TURN_RUNNING where another
 * croft is at work on the project, E_UNDO_DAMAGED where what was kept is no longer what was written.
 */
export interface Undo {
  begin(turn: TurnInfo): OpenTurn;
  /** Undo around commands. Whoever opens it closes it. `policy` says which new files are told of. */
  cover(policy: Policy): CommandCover;
  /** Oldest first. */
  turns(): readonly PastTurn[];
  /**
   * Looks for what a killed croft left open: removes its temporary files, and notes what had landed. To be called before
   * the first turn of a process. What is still being written by a croft that lives is left to it.
   */
  recover(): readonly Interrupted[];
  /**
   * Takes back the last turn not yet undone, or undone but for files that the system was in the way of. A file that is
   * not as croft left it is left alone.
   */
  undo(signal: AbortSignal): Promise<Reversal>;
  /** Takes back the last undo; there is none once a new turn has changed something. */
  redo(signal: AbortSignal): Promise<Reversal>;
  /** What a session's ledger must know of changes: files, with the lines that are others now. */
  landed(recorded: Recorded): Promise<readonly Landed[]>;
  /**
   * The two versions of a file that an undo left alone, or that the next one to come to it would put back; undefined if
   * there is none. Throws E_TOO_LARGE.
   */
  versions(path: string): Promise<Versions | undefined>;
  /** What a session has changed, but for turns that were undone, in the order of their first change. */
  since(session: string): Promise<readonly SinceThen[]>;
}
