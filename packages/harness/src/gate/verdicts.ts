/** What gates answer by themselves, in the words the model reads behind "This is not allowed: ". */

import type { Verdict } from "./gate.ts";

export const allowed: Verdict = { allowed: true, by: "rule" };
export const denied: Verdict = { allowed: false, by: "rule", note: "the rules of this project do not allow it." };
/** Nobody is there to be asked. `why` says what made it a question; empty where the kind of action alone does. */
export function nobody(why: readonly string[]): Verdict {
  const reason = why.length === 0 ? "" : ` (${why.join("; ")})`;
  return {
    allowed: false,
    by: "rule",
    note: `it needs a person's approval${reason}, and nobody can be asked in this run.`,
    unasked: "personOnly",
  };
}
export const cancelled: Verdict = { allowed: false, by: "rule", note: "it was cancelled before it was approved." };
