/** The port of a search backend, and the query it answers. */

import type { Done, Scan } from "./fence.ts";

export type Query = {
  /** A regular expression as ripgrep reads it, or plain text with `literal`. A leading "-" is part of the pattern. */
  pattern: string;
  /** Folder or file below the root; the root if absent. */
  path?: string | undefined;
  /** Relative, without "..": which files to look in. */
  glob?: string | undefined;
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

/**
 * What a backend is asked: `file` is a name in `cwd` if one file is meant; of each file it may stop after `perFile`
 * lines.
 */
export type Lookup = Pick<Query, "pattern" | "glob" | "literal" | "ignoreCase"> & {
  cwd: string;
  /** `cwd` is the project's root: what stands above it is the project's own only within a repository. */
  atRoot: boolean;
  file?: string | undefined;
  perFile?: number | undefined;
};

/**
 * Proposes the lines that match, those of one file together and in order; whatever is given back to a tool was read
 * through the fence. Ends its child when the caller stops early. Throws E_BAD_PATTERN for a pattern it cannot read,
 * E_BAD_GLOB, E_SEARCH_FAILED else, and the signal's reason when aborted.
 */
export type SearchBackend = (lookup: Lookup, signal: AbortSignal) => Scan<Proposal>;

export type Proposal = {
  /** Relative to `cwd`, posix separators. */
  path: string;
  line: number;
  /** Where in the line the first match begins, in bytes from 0. */
  column: number;
  /**
   * Where in the file the line begins, in bytes from 0, a BOM not counted; undefined where that is not known, as in
   * UTF-16. Spares counting the lines of a file that is too large to hold.
   */
  offset?: number | undefined;
};
