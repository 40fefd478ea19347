/**
 * The door to files, and what tools hold: the fence with the gate in front. Every call asks the gate once before anything
 * is resolved, pins the place by descriptor, asks about what is pinned, then acts on that very descriptor.
 */

import type { FileView } from "./text.ts";
import type { Entry, Hash, ListOptions, Scan } from "./fence.ts";
import type { Query } from "./search.ts";

/** One line that matched (or, with `context`, stands beside one). `hash` is of the file the line was read from. */
export type Hit = { path: string; hash: Hash; line: number; text: string; match: boolean };

export interface Workspace {
  /** A whole text file, at most `maxFileBytes`. Throws E_BINARY, E_TOO_LARGE, E_IS_FOLDER, E_NOT_REGULAR, E_NOT_FOUND… */
  read(path: string, signal: AbortSignal): Promise<FileView>;
  /** Raw bytes of a file of any size. */
  bytes(
    path: string,
    range: { start: number; end: number } | undefined,
    signal: AbortSignal,
  ): AsyncIterable<Uint8Array>;
  list(path: string, options: ListOptions, signal: AbortSignal): Scan<Entry>;
  search(query: Query, signal: AbortSignal): Scan<Hit>;
}
