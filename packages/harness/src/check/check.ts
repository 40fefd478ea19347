/** The port of a check: is what the model said, or did, true? */

import type { CheckResult, Event } from "../event.ts";
import type { CitedLines } from "../workspace/lines.ts";
import type { Ledger } from "../workspace/ledger.ts";

/**
 * `lines` reads under the policy, past the gate and the ledger: a check never asks a person and shows the model
 * nothing. It gives the lines `from`..`to` that exist, and undefined for what cannot be read under the policy. Once the
 * turn is interrupted it throws.
 */
export type Turn = {
  /** The whole answer, also where it took several replies. */
  answer: string;
  ledger: Ledger;
  lines(path: string, from: number, to: number): Promise<CitedLines | undefined>;
};

/** Something that each answer is put to before a turn may end. */
export interface Check {
  readonly name: string;
  /** How often a failure is given back to the model. */
  readonly rounds: number;
  /** Once the signal fires it throws the signal's reason: it has neither passed nor failed. */
  run(turn: Turn, emit: (event: Event) => void, signal: AbortSignal): Promise<CheckResult>;
}
