/**
 * The port of undo: what was there before each change croft made, kept outside the project, so that a turn can be taken
 * back, and taken up again. It knows nothing of git and never touches it.
 */

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
 * `interrupted`: croft was killed in it. `partly`: undone but for files the user has changed since. `running`: the croft
 * that made it still lives.
 */
export type TurnState = "done" | "undone" | "partly" | "interrupted" | "running";

/** A turn that changed something; `files`: from before its first change to after its last, those that differ. */
export type PastTurn = TurnInfo & { number: number; state: TurnState; files: readonly Changed[] };

/** A path that was not put back, and why, in words. */
export type LeftAlone = { path: string; reason: string };

/**
 * What an undo or a redo came to. `turn`: undefined where there was nothing to take back. `restored`: every path that is
 * now as it should be. `record`: where what was replaced is kept.
 */
export type Reversal = {
  turn: PastTurn | undefined;
  restored: readonly Changed[];
  left: readonly LeftAlone[];
  record: number | undefined;
};

/** A change that croft was killed in: which of its files are as they were, which are as they were to be. */
export type Interrupted = {
  number: number;
  cause: Cause;
  task: string;
  old: readonly string[];
  new: readonly string[];
};

/** Both versions of a file: what is there, and what undo would put there. `kept`: where that lies on this disk. */
export type Versions = {
  path: string;
  turn: number;
  now: Uint8Array | null;
  before: Uint8Array | null;
  kept: string | undefined;
};

/** A turn that is going on. It leaves nothing behind unless something is kept in it. */
export interface OpenTurn extends BeforeImages {
  end(): void;
}

/**
 * One project's undo. Throws Failure: E_UNDO_UNWRITABLE where the store cannot be written, E_TURN_RUNNING where another
 * croft is at work on the project, E_UNDO_DAMAGED where what was kept is no longer what was written.
 */
export interface Undo {
  begin(turn: TurnInfo): OpenTurn;
  /** Oldest first. */
  turns(): readonly PastTurn[];
  /**
   * Looks for what a killed croft left open: removes its temporary files, and notes what had landed. To be called before
   * the first turn of a process. What is still being written by a croft that lives is left to it.
   */
  recover(): readonly Interrupted[];
  /** Takes back the last turn not yet undone. A file that is not as croft left it is left alone. */
  undo(signal: AbortSignal): Promise<Reversal>;
  /** Takes back the last undo; there is none once a new turn has changed something. */
  redo(signal: AbortSignal): Promise<Reversal>;
  /** What a session's ledger must know of a reversal: its files, with the lines that changed. */
  landed(reversal: Reversal): Promise<readonly Landed[]>;
  /** The two versions of a file that the last undo left alone, or that the next one would put back. */
  versions(path: string): Versions | undefined;
}
