/** What gates answer by themselves, in the words the model reads behind "This is not allowed: ". */

import type { Verdict } from "./gate.ts";

export const allowed: Verdict = { allowed: true, by: "rule" };
export const denied: Verdict = { allowed: false, by: "rule", note: "the rules of this project do not allow it." };
export const nobody: Verdict = {
  allowed: false,
  by: "rule",
  note: "it needs a person's approval, and nobody can be asked in this run.",
};
export const cancelled: Verdict = { allowed: false, by: "rule", note: "it was cancelled before it was approved." };
