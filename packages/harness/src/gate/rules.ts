/** The gates there are: one that follows the policy and asks where it says "ask", one that asks about everything. */

import { posix } from "node:path";
import type { Action } from "./action.ts";
import type { CommandVerdict } from "./command.ts";
import type { Gate, Verdict } from "./gate.ts";

/** Puts one action to a person. Rejecting counts as "no"; `note` is what the person wants the model to know. */
export type Ask = (action: Action, signal: AbortSignal) => Promise<{ allowed: boolean; note?: string | undefined }>;

const allowed: Verdict = { allowed: true, by: "rule" };
const denied: Verdict = { allowed: false, by: "rule", note: "The rules of this project do not allow it." };
const nobody: Verdict = {
  allowed: false,
  by: "rule",
  note: "This needs a person's approval, and nobody can be asked in this run.",
};
const cancelled: Verdict = { allowed: false, by: "rule", note: "Cancelled before it was approved." };

/**
 * Follows the verdict of the policy. What it says "ask" about is put to `ask`, one question at a time in the order of
 * arrival; without `ask` it is refused. Nothing is decided before it is resolved.
 */
export function policyGate(ask?: Ask): Gate {
  const question = ask === undefined ? async () => nobody : oneAtATime(ask);
  return async (action, signal) => {
    const decisions = new Set(decisionsOn(action));
    if (decisions.has("deny")) return denied;
    return decisions.has("ask") || decisions.has("unlisted") ? question(action, signal) : allowed;
  };
}

/**
 * Puts every action to `ask` before anything is resolved. Once resolved, the same action is a second question only
 * where it shows a person what the first could not: the diff of a write, or that a path leads to another place which
 * the policy would ask about. Relies on the workspace to ask unresolved first, as gate.ts has it.
 */
export function strictGate(ask: Ask): Gate {
  const question = oneAtATime(ask);
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

/** A queue of questions. One that is aborted is answered "no" at once, and is not put if it still waits. */
function oneAtATime(ask: Ask): Gate {
  let queue: Promise<void> = Promise.resolve();
  return (action, signal) => {
    const answer = untilAborted(
      queue.then(() => (signal.aborted ? cancelled : put(ask, action, signal))),
      signal,
    );
    queue = Promise.all([queue, answer]).then(() => undefined);
    return answer;
  };
}

async function put(ask: Ask, action: Action, signal: AbortSignal): Promise<Verdict> {
  try {
    const { allowed, note } = await ask(action, signal);
    return { allowed: allowed && !signal.aborted, by: "person", note };
  } catch {
    return signal.aborted ? cancelled : nobody;
  }
}

async function untilAborted(answer: Promise<Verdict>, signal: AbortSignal): Promise<Verdict> {
  const { promise: aborted, resolve } = Promise.withResolvers<Verdict>();
  const onAbort = (): void => resolve(cancelled);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
