/** A session that is wanted no more. */

import { rmSync } from "node:fs";
import { Failure, messageOf } from "../error.ts";
import { lockSession } from "./lock.ts";

/** Removes a log. Throws Failure: E_SESSION_BUSY where a croft is at work in it, E_LOG_UNWRITABLE. */
export function removeSession(log: string): void {
  using _held = lockSession(log);
  try {
    rmSync(log, { force: true });
  } catch (cause) {
    throw new Failure("E_LOG_UNWRITABLE", `The session log ${log} cannot be removed: ${messageOf(cause)}.`, {
      remedy: "Check that its folder is yours.",
      cause,
    });
  }
}
