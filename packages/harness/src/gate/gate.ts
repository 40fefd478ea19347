/**
 * The port of the gate: may it happen? A gate decides one action, asking a person if it must. It never throws to
 * refuse; a gate that is aborted while it asks answers "not allowed". Questions come one at a time, in order. Every
 * action is decided twice: before anything is resolved, then with the path and verdict of what was found. The library
 * has no default gate: whoever builds a workspace brings one.
 */

import type { Action } from "./action.ts";

export type Verdict = {
  allowed: boolean;
  by: "rule" | "person";
  /** What the model is told: why, or what the person said. */
  note?: string | undefined;
  /** It was refused only because nobody could be asked; and whether the user's yes beforehand would have allowed it. */
  unasked?: Unasked | undefined;
};

export type Unasked = "coveredByYes" | "personOnly";

/**
 * Decides whether an action may happen; it may ask a person meanwhile. Throws the signal's reason once that fires; with
 * whatever else it throws the action does not happen either.
 */
export type Gate = (action: Action, signal: AbortSignal) => Promise<Verdict>;
