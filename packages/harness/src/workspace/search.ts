/** The port of a search backend, and the query it answers. */

import type { Scan } from "./fence.ts";

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
};

/**
 * Proposes path (relative to `cwd`) and line of each match; whatever is given back to a tool was read through the fence.
 * Ends its child when the caller stops early. Throws E_BAD_PATTERN for a pattern it can not read, E_SEARCH_FAILED else.
 */
export type SearchBackend = (query: Query, cwd: string, signal: AbortSignal) => Scan<Proposal>;
export type Proposal = { path: string; line: number };
