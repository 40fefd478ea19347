/** One running turn: what it has used, what it has said, and how it stops. */

import type { Check } from "../check/check.ts";
import type { FailureData } from "../error.ts";
import type { Event, Inner, Interruption, Status } from "../event.ts";
import type { Message } from "../message.ts";
import type { Session } from "../session/session.ts";
import type { AgentOptions, TurnResult } from "./agent.ts";
import type { Answer } from "./answer.ts";
import type { Guard } from "./guard.ts";
import type { Counted } from "./prompt-size.ts";
import type { Spending } from "./spending.ts";

export type Compaction = Extract<Event, { type: "compaction" }>;

export interface RunningTurn {
  readonly options: AgentOptions;
  readonly session: Session;
  /** Fires on the user's cancel and at the deadline. */
  readonly signal: AbortSignal;
  readonly guard: Guard;
  /** Index of the first message of this turn in the session. */
  readonly start: number;
  /** What of its budget the turn has used. */
  readonly spending: Spending;
  /** The last thing the model said. */
  readonly answer: Answer;
  /** Replies in a row that were cut at the output limit, that were empty, and requests refused for some of their blocks. */
  readonly inARow: { cut: number; empty: number; refused: number };
  /** The last prompt that was counted. */
  counted: Counted | undefined;
  /** refused: the last request was too long. compacted: room was made, and no reply has come since. */
  fit: "unknown" | "refused" | "compacted" | "fits";
  /** How often each check has sent the answer back. */
  readonly rounds: Map<Check, number>;

  record(event: Event): void;
  add(message: Message): void;
  /** A word from the harness to the model, marked as such. */
  say(text: string): void;
  /** Notes were asked for, which is no step but costs as much; records what came of it. */
  compact(outcome: Omit<Compaction, "type" | "dollars">): Compaction;
  /** What an agent tells that works inside a call; what it used is used by the turn. */
  inner(call: string, event: Inner): void;
  /** Why no further request may be made, if so. */
  exhausted(): Status | undefined;
  /** What it was, once the signal has fired. */
  interruption(): Interruption;
  stop(status: Status, failure?: FailureData): TurnResult;
}

/** All that compaction takes of a turn: a session is compacted outside of one, too. */
export type Compacting = Pick<
  RunningTurn,
  "options" | "session" | "signal" | "start" | "counted" | "fit" | "record" | "compact" | "exhausted"
>;
