/**
 * The port between an enclosure and the files of the project: what a command may not read or write there, as it stands
 * on the disk at this moment, and what is found afterwards. An enclosure turns the first into mounts.
 */

import type { Profile } from "./enclosure.ts";

/**
 * How a place differs from the folder it lies in. "empty": a file that reads as if nothing were in it. "unreadable": a
 * file that cannot be opened, a folder that cannot be listed. Nothing can be written to either.
 */
export type Hold = "empty" | "unreadable" | "read-only" | "writable";

/**
 * `path`: absolute, no link on the way, and no link itself. `content`: what a read-only file is to hold for commands,
 * where its own text has credentials in it.
 */
export type Held = {
  readonly path: string;
  readonly folder: boolean;
  readonly hold: Hold;
  readonly content?: string | undefined;
};

/** In force until disposed: whatever protected appears meanwhile is taken to be the command's doing. */
export interface Watch extends Disposable {
  /** In order of path: a folder comes before what lies in it. */
  readonly places: readonly Held[];
}

export interface Guard {
  /**
   * Looks at the whole project; quick where nothing has changed. Throws E_UNPROTECTABLE naming what stands in the way:
   * a link in a protected place, a `.git` that is not what git makes, too many places.
   */
  watch(profile: Profile, signal: AbortSignal): Promise<Watch>;
  /** What the person approved is written here: its appearing is not the doing of a command. Relative to the root. */
  expect(path: string): void;
  /** After a command: moves what appeared in protected places to safety, and tells of each in words. */
  inspect(signal: AbortSignal): Promise<readonly string[]>;
}
