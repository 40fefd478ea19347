/** A gate that makes a question of changing what says whether the work is right, while it does not pass. */

import type { CheckFileKind } from "../policy/check-files.ts";
import type { PlaceToWrite } from "./action.ts";
import type { Gate } from "./gate.ts";

/** Source code is not among them: whoever is to fix it must be able to. */
type HeldKind = Exclude<CheckFileKind, "source">;

const rules: Readonly<Record<HeldKind, string>> = {
  test: "a test, while the project's check fails",
  definition: "says how the project is checked, while that fails",
  program: "a program of the project's check, while that fails",
  goal: "has the name of the project's check, while that fails",
};

/** What a file that may not be changed unasked is; undefined where it may. */
export type Held = (path: string, change: PlaceToWrite["change"]) => HeldKind | undefined;

/** The same gate, which sees such changes as ones that are always asked about. */
export function holdingChecks(gate: Gate, heldAs: Held): Gate {
  function held(place: PlaceToWrite): PlaceToWrite {
    const { path, change, verdict } = place;
    if (path === undefined || verdict === undefined || verdict.decision === "deny") return place;
    const kind = heldAs(path, change);
    if (kind === undefined) return place;
    const rule = verdict.decision === "ask" ? `${rules[kind]}; and ${verdict.rule}` : rules[kind];
    return { ...place, verdict: { decision: "ask", rule } };
  }
  return (action, signal) =>
    gate(action.kind === "write" ? { ...action, changes: action.changes.map(held) } : action, signal);
}
