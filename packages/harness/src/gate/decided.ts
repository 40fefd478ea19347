/** Gates that must have decided: whoever works strictly takes no rule's silence for a yes. */

import { Failure } from "../error.ts";
import type { Action } from "./action.ts";
import type { Gate } from "./gate.ts";
import { nobody } from "./verdicts.ts";

/**
 * Refuses what no person, nor who decides in their place, has said yes to: most gates let everything through while
 * nothing is resolved. `strictGate` is what passes.
 */
export function decidedOnly(gate: Gate): Gate {
  return async (action, signal) => {
    const verdict = await gate(action, signal);
    const isQuestion = action.kind === "run" || isUnresolved(action);
    return verdict.allowed && isQuestion && verdict.by !== "person"
      ? nobody(["strict: every call is a question"])
      : verdict;
  };
}

/** For callers that no type keeps from leaving it out. Throws E_NO_GATE. */
export function requireGate(gate: unknown): void {
  if (typeof gate === "function") return;
  throw new Failure("E_NO_GATE", "No tools without a gate: whoever builds them says who decides.", {
    remedy: "Give one: policyGate() refuses whatever would be a question, strictGate(ask) asks about everything.",
  });
}

function isUnresolved(action: Exclude<Action, { kind: "run" }>): boolean {
  if (action.kind === "write") return action.changes.every(({ path }) => path === undefined);
  return action.path === undefined;
}
