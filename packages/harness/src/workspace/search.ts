/** The port of a search backend, and the query it answers. */

import type { Done, Entry } from "./fence.ts";

/** Which files are looked at. Links are not followed unless it is said. */
export type Scope = {
  /** Relative, without "..". */
  glob?: string | undefined;
  /** A second glob, in which letter case does not count; what matches either is looked at. */
  iglob?: string | undefined;
  /** Levels of folders; 1 is the folder itself, absent means all the way down. */
  depth?: number | undefined;
  /** False: without names that begin with a dot. */
  hidden?: boolean | undefined;
  /** With what ignore files leave out. */
  ignored?: boolean | undefined;
  /** Through links, where the backend can (`supportsFollow`); what they lead to is still read through the fence. */
  follow?: boolean | undefined;
};

/** What to look for, and where. */
export type Query = Scope & {
  /** A regular expression as ripgrep reads it, or plain text with `literal`. A leading "-" is part of the pattern. */
  pattern: string;
  /** Folder or file below the root; the root if absent. */
  path?: string | undefined;
  literal?: boolean | undefined;
  ignoreCase?: boolean | undefined;
  /** Lines to show before and after each match. */
  context?: number | undefined;
  /** The first so many matches in path order, whatever order they are found in; all, as they come, if absent. */
  limit?: number | undefined;
  /** What to show in place of lines of a file that has a match: a match is found in the text itself. */
  shown?: ShowLines | undefined;
};

/** `instead` gives a text line for line. */
export type ShowLines = {
  instead(text: string, path: string): string;
  /** Whether what stands for a line of this whole text depends on others; where not, lines are shown alone, at less cost. */
  needsWhole(text: string): boolean;
};

/** How a search ends; `stopped`: at the limit, with more matches behind it. */
export type SearchDone = Done & { stopped: boolean };

/** Files by their names, whatever they hold; the first so many in path order, all if `limit` is absent. */
export type NameQuery = Scope & { limit?: number | undefined };

/** Where a backend looks, and how much it may find. */
export type Territory = Scope & {
  cwd: string;
  /** `cwd` is the project's root: what stands above it is the project's own only within a repository. */
  atRoot: boolean;
  /** Findings at most; more than these are an error of the backend's. Absent: all there are. */
  limit?: number | undefined;
};

/** What a backend is asked: `file` is a name in `cwd` if one file is meant; of each file it may stop after `perFile` lines. */
export type Lookup = Territory &
  Pick<Query, "pattern" | "literal" | "ignoreCase"> & { file?: string | undefined; perFile?: number | undefined };

/**
 * What a backend says: findings, then exactly one `done` and nothing behind it. `stopped`: at the limit, with more
 * behind it.
 */
export type Frames<Finding> = AsyncIterable<Finding | BackendDone>;
/** The one last frame of a search. `stopped`: at the limit that was asked for, so there may be more. */
export type BackendDone = Done & { stopped?: boolean | undefined };

/**
 * Whoever finds things. What it says is a proposal: paths are judged, and every line that is shown is read through the
 * fence. `search` gives the lines that match, those of one file together and in order; `find` the files by their names,
 * in any order. Both end what they have started when the caller stops early, and throw E_BAD_PATTERN for a pattern they
 * cannot read, E_BAD_GLOB, E_UNSUPPORTED for `follow` where it is not supported, E_UNBOUNDED where a cap is in the way,
 * E_SEARCH_FAILED else, and the signal's reason when aborted.
 */
export interface SearchBackend {
  /** What failures call it. */
  readonly name: string;
  readonly supportsFollow: boolean;
  /** It never finds more than this, and so refuses what names no limit, or a higher one. Absent: no such cap. */
  readonly cap?: number | undefined;
  search(lookup: Lookup, signal: AbortSignal): Frames<Proposal>;
  /** Absent: files are found by the fence's own walk. */
  find?: ((territory: Territory, signal: AbortSignal) => Frames<Pick<Entry, "path">>) | undefined;
}

/** Where a line that matches is said to be. */
export type Proposal = {
  /** Relative to `cwd`, posix separators. */
  path: string;
  line: number;
  /** Where in the line the first match begins, in bytes from 0. */
  column: number;
  /**
   * Where in the file the line begins, in bytes from 0, a BOM not counted, of UTF-16 in those of the same text in UTF-8;
   * undefined where that is not known. Spares counting the lines of a file that is too large to hold.
   */
  offset?: number | undefined;
};
