/** What a difference around a command means: whether the command made it, and whether it can be taken back. */

import type { Policy } from "../../policy/policy.ts";
import type { Changed, State } from "../snapshot.ts";
import { notKept } from "./base.ts";
import { isSame } from "./history.ts";
import type { Difference } from "./update.ts";

/** Where contents are not compared, what looks different counts as different. */
export function isOther({ before, after }: Difference): boolean {
  const isUnknown = (state: State | null): boolean => state?.kind === "file" && state.hash === notKept;
  return isUnknown(before) || isUnknown(after) || !isSame(before, after);
}

/**
 * What appears need not be new: it may have been ignored until now, and is then the user's. New is what was made since
 * the command began, or is another name of what was there.
 */
export function isOfCommand({ before, found }: Difference, startedAt: number, known: ReadonlySet<number>): boolean {
  if (before !== null || found === undefined) return true;
  const born = found.birthtimeMs === 0 ? found.ctimeMs : found.birthtimeMs;
  return born >= startedAt || known.has(found.ino);
}

/** Whether what was before and what is now are both kept. */
export function isKept({ before, after }: Difference): boolean {
  return [before, after].every((state) => state?.kind !== "file" || state.hash !== notKept);
}

export function isNoFolder({ before, after }: Difference): boolean {
  return (after ?? before)?.kind !== "folder";
}

/** New, and where nothing may be written. */
export function isProtected({ path, before, after }: Difference, policy: Policy): boolean {
  return before === null && after !== null && policy.judge(path, "write").decision === "deny";
}

export function changedOf({ path, before, after }: Difference): Changed {
  return { path, before, after };
}
