/**
 * The port of the gate: may it happen? A gate decides one action, asking a person if it must. It never throws to
 * refuse; a gate that is aborted while it asks answers "not allowed". Questions come one at a time, in order. Every
 * action is decided twice: before anything is resolved, then with the path and verdict of what was found. The library
 * has no default gate: whoever builds a workspace brings one.
 */

import type { Action } from "./action.ts";

/** `note` is what the model is told: why, or what the person said. */
export type Verdict = { allowed: boolean; by: "rule" | "person"; note?: string | undefined };
/**
 * Decides whether an action may happen; it may ask a person meanwhile. Throws the signal's reason once that fires; with
 * whatever else it throws the action does not happen either.
 */
export type Gate = (action: Action, signal: AbortSignal) => Promise<Verdict>;
