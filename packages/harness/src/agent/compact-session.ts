/** Compaction that a person asks for, between two turns. */

import type { FailureData } from "../error.ts";
import { failureIn } from "../model/model.ts";
import { recorder } from "../session/session.ts";
import type { AgentOptions } from "./agent.ts";
import { compactNow } from "./compaction.ts";
import { deadlineOf } from "./deadline.ts";
import type { Compaction } from "./turn.ts";

/**
 * What came of it. nothing: too little was said, or the notes would not have been shorter. Tokens are estimates of the
 * next request. `dollars`: undefined where the model has no price.
 */
export type Compacted =
  | { kind: "made room"; tokens: { before: number; after: number }; dollars: number | undefined }
  | { kind: "nothing" | "cancelled"; dollars: number | undefined }
  | { kind: "failed"; failure: FailureData; dollars: number | undefined };

/** Makes room in the session, full or not. To be called while no turn runs. Every outcome is a value. */
export async function compactSession(options: AgentOptions, given: AbortSignal): Promise<Compacted> {
  const { session, emit } = options;
  const signal = AbortSignal.any([given, deadlineOf(options)]);
  const record = recorder(session, emit);
  let dollars: number | undefined = 0;
  const made = await compactNow({
    options,
    session,
    signal,
    start: session.messages.length,
    counted: undefined,
    fit: "unknown",
    record,
    compact(outcome) {
      const event: Compaction = { type: "compaction", ...outcome, dollars: options.cost(outcome.usage) };
      dollars = dollars === undefined || event.dollars === undefined ? undefined : dollars + event.dollars;
      record(event);
      return event;
    },
    exhausted: () => (signal.aborted ? (given.aborted ? "cancelled" : "timeout") : undefined),
  });
  if (made === undefined) return { kind: "nothing", dollars };
  const { event, tokens } = made;
  if (event.replaced !== undefined) return { kind: "made room", tokens, dollars };
  const failure = failureIn(event.stop);
  if (failure !== undefined) return { kind: "failed", failure: failure.toJSON(), dollars };
  return { kind: signal.aborted ? "cancelled" : "nothing", dollars };
}
