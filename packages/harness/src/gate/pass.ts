/** How every door asks, and what a model reads where the answer is no. */

import { Failure } from "../error.ts";
import type { Action } from "./action.ts";
import type { Gate } from "./gate.ts";

/** Puts an action to the gate. Throws E_REFUSED unless it is allowed, and the signal's reason. */
export async function passGate(gate: Gate, action: Action, signal: AbortSignal): Promise<void> {
  const verdict = await gate(action, signal);
  signal.throwIfAborted();
  if (verdict.allowed) return;
  const who = verdict.by === "person" ? "The user did not allow this" : "This is not allowed";
  throw new Failure("E_REFUSED", verdict.note === undefined ? `${who}.` : `${who}: ${verdict.note}`, {
    remedy: verdict.by === "person" ? "Ask what they want instead." : "Go on without it, and say so.",
  });
}

export type Veil = { strict: boolean; signal: AbortSignal };

/** What comes after the first question: if strict, one failure of all that it may throw. */
export async function veiled<T>({ strict, signal }: Veil, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (thrown) {
    signal.throwIfAborted();
    throw strict ? unavailable() : thrown;
  }
}

function unavailable(): Failure {
  return new Failure("E_UNAVAILABLE", "This path is not available.", { remedy: "Go on without it, and say so." });
}
