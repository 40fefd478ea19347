/** A gate that makes a question of changing what says whether the work is right, while it does not pass. */

import { checkFileKind, type CheckFileKind } from "../policy/check-files.ts";
import type { PlaceToWrite } from "./action.ts";
import type { Gate } from "./gate.ts";

const rules: Readonly<Record<CheckFileKind, string>> = {
  test: "a test, while the project's check fails",
  definition: "says how the project is checked, while that fails",
  program: "a program of the project's check, while that fails",
};

/** The same gate, which sees such changes as ones that are always asked about. New tests are none. */
export function holdingChecks(gate: Gate, isHeld: (path: string, change: PlaceToWrite["change"]) => boolean): Gate {
  function held(place: PlaceToWrite): PlaceToWrite {
    const { path, change, verdict } = place;
    const kind = path === undefined ? undefined : checkFileKind(path);
    if (path === undefined || kind === undefined || verdict?.decision !== "allow") return place;
    if ((kind === "test" && change === "create") || !isHeld(path, change)) return place;
    return { ...place, verdict: { decision: "ask", rule: rules[kind] } };
  }
  return (action, signal) =>
    gate(action.kind === "write" ? { ...action, changes: action.changes.map(held) } : action, signal);
}
