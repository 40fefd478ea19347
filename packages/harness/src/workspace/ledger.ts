/** What the model has been shown in this session, folded from its events: read-before-edit, staleness, citations. */

import type { Hash } from "./fence.ts";

/** Lines really sent to the model (first and last, from 1); part of a tool's result, so that a session can be folded back. */
export type Shown = { path: string; hash: Hash; from: number; to: number; via: "read" | "search" | "diff" | "write" };

export interface Ledger {
  /** Was this line of this file sent to the model? */
  has(path: string, line: number): boolean;
  /** The hash of the version last read whole or in part with read_file, or written: search hits do not count. */
  read(path: string): Hash | undefined;
  /** Every file of which something was shown. */
  paths(): Iterable<string>;
}

export interface GrowingLedger extends Ledger {
  add(shown: Shown): void;
}
