/** The gates there are: one that follows the policy and asks where it says "ask", one that asks about everything. */

import { posix } from "node:path";
import type { Action } from "./action.ts";
import type { CommandVerdict } from "./command.ts";
import type { Gate } from "./gate.ts";
import { oneAtATime, type Ask } from "./questions.ts";
import { allowed, denied, nobody } from "./verdicts.ts";

/**
 * Follows the verdict of the policy. What it says "ask" about is put to `ask`, one question at a time in the order of
 * arrival; without `ask` it is refused. Nothing is decided before it is resolved.
 */
export function policyGate(ask?: Ask): Gate {
  const question = ask === undefined ? async () => nobody([]) : oneAtATime(ask);
  return async (action, signal) => {
    const decisions = new Set(decisionsOn(action));
    if (decisions.has("deny")) return denied;
    return decisions.has("ask") || decisions.has("unlisted") ? question(action, signal) : allowed;
  };
}

/**
 * Puts every action to `ask` before anything is resolved. Once resolved, the same action is a second question only
 * where it shows a person what the first could not: the diff of a write, or that a path leads to another place which
 * the policy would ask about. Relies on the workspace to ask unresolved first, as gate.ts has it. Without `ask` all is
 * refused, at once.
 */
export function strictGate(ask?: Ask): Gate {
  const question = ask === undefined ? async () => nobody([]) : oneAtATime(ask);
  return async (action, signal) => {
    if (decisionsOn(action).includes("deny")) return denied;
    const news =
      action.kind === "write" ||
      action.kind === "run" ||
      action.verdict === undefined ||
      (action.verdict.decision === "ask" && action.path !== posix.normalize(action.asked));
    return news ? question(action, signal) : allowed;
  };
}

function decisionsOn(action: Action): readonly (CommandVerdict["decision"] | undefined)[] {
  if (action.kind === "write") return action.changes.map(({ verdict }) => verdict?.decision);
  return [action.verdict?.decision];
}
