/** What gates answer by themselves, in the words the model reads. */

import type { Verdict } from "./gate.ts";

export const allowed: Verdict = { allowed: true, by: "rule" };
export const denied: Verdict = { allowed: false, by: "rule", note: "The rules of this project do not allow it." };
export const nobody: Verdict = {
  allowed: false,
  by: "rule",
  note: "This needs a person's approval, and nobody can be asked in this run.",
};
export const cancelled: Verdict = { allowed: false, by: "rule", note: "Cancelled before it was approved." };
