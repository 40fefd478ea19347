/** How croft ends: a closed set of codes, listed for people in words/exit-codes.md. */

import type { Status } from "@croft/harness";

/** The code of every way a run can end. */
export const exitCodes: Readonly<Record<Status, number>> = {
  done: 0,
  error: 1,
  max_turns: 10,
  token_budget: 11,
  dollar_budget: 12,
  timeout: 13,
  max_tokens: 14,
  refused: 15,
  stuck: 16,
  check_failed: 17,
  cancelled: 130,
};

/** A tool failed, a replay differed, output could not be written, or croft has a bug. */
export const exitError = 1;
/** A wrong argument, folder, model or setting: nothing was asked and nothing is left behind. */
export const exitUsage = 2;
/** Nobody reads stdout any more: what a shell reports for a program ended by SIGPIPE. */
export const exitPipe = 141;
