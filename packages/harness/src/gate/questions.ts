/** Questions to a person, one at a time. */

import type { Action } from "./action.ts";
import type { Gate, Verdict } from "./gate.ts";
import { cancelled, nobody } from "./verdicts.ts";

/**
 * What a person says to an action. `note` is what they want the model to know; `always`: the very same command need not
 * be asked about again in this project.
 */
export type Answer = { allowed: boolean; note?: string | undefined; always?: boolean | undefined };

/** Puts one action to a person. Rejecting counts as "no". */
export type Ask = (action: Action, signal: AbortSignal) => Promise<Answer>;

/** A queue of questions. One that is aborted is answered "no" at once, and is not put if it still waits. */
export function oneAtATime(ask: Ask): Gate {
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
    return signal.aborted ? cancelled : nobody([]);
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
