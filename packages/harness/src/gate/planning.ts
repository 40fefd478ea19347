/** A gate around a gate that lets nothing change while the user only wants a plan. */

import type { Action } from "./action.ts";
import type { Gate, Verdict } from "./gate.ts";

export type PlanningGates = {
  /** Asked about each action anew: a switch binds from the next action on. */
  planning: () => boolean;
  /** Decides what is left while planning: what is read, and commands that find the project read-only. */
  whilePlanning: Gate;
  otherwise: Gate;
};

/**
 * While planning, nothing is written, and a command runs only in a sandbox in which the project is read-only: what it
 * may do there the system decides, whatever the command says of itself.
 */
export function planningGate({ planning, whilePlanning, otherwise }: PlanningGates): Gate {
  return async (action, signal) => {
    if (!planning()) return otherwise(action, signal);
    const note = whyRefused(action);
    return note === undefined
      ? whilePlanning(action, signal)
      : ({ allowed: false, by: "rule", note } satisfies Verdict);
  };
}

/** In the words the model reads behind "This is not allowed: ". */
function whyRefused(action: Action): string | undefined {
  if (action.kind === "write") return "plan mode is on, and nothing is changed in it. Say what you would change.";
  if (action.kind !== "run") return undefined;
  if (action.outside !== undefined) return "plan mode is on, and no command leaves the sandbox in it.";
  if (!action.enclosed)
    return "plan mode is on, and there is no sandbox that could keep a command from changing files.";
  if (action.readOnly !== true) return "plan mode is on since just now; make the call again.";
  return undefined;
}
