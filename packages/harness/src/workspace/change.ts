/** Changing files: as they shall be, as they are planned, as they have landed. */

import type { PathVerdict } from "../policy/policy.ts";

/** SHA-256 of raw bytes, hex. `null` where a hash is expected means: no file there. */
export type Hash = string;

/**
 * One file as it shall be; `after: null` removes it. `before` is what the caller planned upon, null: no file there.
 * `mode` (permission bits) is for a new file, which else gets what the umask leaves of 0666; a file that is there keeps
 * its own. A move is two changes.
 */
export type Change = {
  path: string;
  before: Hash | null;
  after: Uint8Array | null;
  mode?: number | undefined;
  /** Refused (E_IS_LINK) where any name on the way, or the last one, is a link. */
  linkless?: boolean | undefined;
};

/** A regular file as it was when it was held. `mode`: permission bits. */
export type FileState = { bytes: Uint8Array; hash: Hash; mode: number };

/** A change worked out against what is there. */
export type PlannedFile = {
  readonly asked: string;
  /** As resolved, relative to the root: where a link leads, not the link. */
  readonly path: string;
  readonly verdict: PathVerdict;
  readonly before: FileState | null;
  readonly after: FileState | null;
  /** Folders that will be made on the way, outermost first, relative to the root. */
  readonly folders: readonly string[];
  /**
   * Where the bytes wait until they are renamed into place (when putting back: the old ones), relative to the root. A
   * crash can leave it behind: see `Fence.sweep`.
   */
  readonly temporary: string;
};

/** Changes against held places. Nothing has been written; disposing it lets the places go. */
export interface Plan extends Disposable {
  readonly files: readonly PlannedFile[];
  /**
   * All or none, once, and synchronously: each file is whole at every moment, old or new, and on the disk at the end.
   * Compares what is there once more before anything is written, and each file right before it lands; what remains is
   * the moment between that look and the rename. A file is replaced, not written through: its mode is kept, its owner
   * where the system lets us, set-user-id bits, extended attributes and ACLs are not, and other names of it (hard links)
   * keep the old bytes. A file that may not be written (0444) is changed where its folder may be:
   * whoever asks the gate makes that a question.
   *
   * When one cannot land, those that had are put back, folders that were made are removed if empty, and this throws
   * E_STALE, E_EXISTS, E_NOT_FOUND, E_UNWRITABLE or E_DISK_FULL; E_HALF_LANDED names what could not be put back.
   */
  apply(): void;
}

/** Lines of the new file from `to` on, `added` of them, stand where `removed` lines of the old one stood from `from`. */
export type LineHunk = { from: number; removed: number; to: number; added: number };

/** What has landed. `hunks` in order. */
export type Landed = { path: string; before: Hash | null; after: Hash | null; hunks: readonly LineHunk[] };

/** With the unified diff, made from the bytes before and after. */
export type Committed = Landed & { diff: string };

/**
 * Keeps what is about to be replaced, so that it can be taken back. Durable once `keep` returns; told afterwards whether
 * the change has landed. Throws Failure, and then nothing is changed.
 */
export interface BeforeImages {
  keep(files: readonly PlannedFile[]): Keeping;
}
export interface Keeping {
  landed(): void;
  /** Nothing was changed, or all of it was put back. */
  dropped(): void;
}
