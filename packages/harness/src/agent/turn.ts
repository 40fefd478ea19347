/** The state of one running turn: what it has used, what it has said, and how it stops. */

import type { Check } from "../check/check.ts";
import type { FailureData } from "../error.ts";
import type { Event, Inner, Interruption, Status } from "../event.ts";
import { addUsage, fromHarness, noUsage, totalTokens, type Message, type Usage } from "../message.ts";
import type { Session } from "../session/session.ts";
import type { AgentOptions, TurnResult } from "./agent.ts";
import { createGuard, type Guard } from "./guard.ts";
import type { Counted } from "./prompt-size.ts";
import { setupOf } from "./setup.ts";

export type Compaction = Extract<Event, { type: "compaction" }>;

export interface RunningTurn {
  readonly options: AgentOptions;
  readonly session: Session;
  /** Fires on the user's cancel and at the deadline. */
  readonly signal: AbortSignal;
  readonly guard: Guard;
  /** Index of the first message of this turn in the session. */
  readonly start: number;
  /** Requests made so far. */
  readonly steps: number;
  /** Replies in a row that were cut at the output limit, that were empty, and requests refused for some of their blocks. */
  readonly inARow: { cut: number; empty: number; refused: number };
  /** The last prompt that was counted. */
  counted: Counted | undefined;
  /** refused: the last request was too long. compacted: room was made, and no reply has come since. */
  fit: "unknown" | "refused" | "compacted" | "fits";
  /** How often each check has sent the answer back. */
  readonly rounds: Map<Check, number>;
  /** The last thing the model said: more than one reply where the output limit cut it. */
  readonly answer: string;

  record(event: Event): void;
  add(message: Message): void;
  /** Takes the text of a reply as the answer, or as its next part after `continueAnswer()`. */
  takeAnswer(text: string): void;
  /** The next reply goes on where this one stopped. */
  continueAnswer(): void;
  /** A word from the harness to the model, marked as such. */
  say(text: string): void;
  /** A step of the turn, and what it used. */
  spend(usage: Usage): void;
  /** Notes were asked for, which is no step but costs as much; records what came of it. */
  compact(outcome: Omit<Compaction, "type" | "dollars">): Compaction;
  /** What an agent tells that works inside a call; what it used is used by the turn. */
  inner(call: string, event: Inner): void;
  /** Tokens that may still be used. */
  tokensLeft(): number;
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

/** Milliseconds; what is longer a timer of the platform would end at once. */
const longestTimer = 2 ** 31 - 1;

export function startTurn(task: string, options: AgentOptions, signal: AbortSignal): RunningTurn {
  const { budget, session, emit } = options;
  let steps = 0;
  let usage = noUsage;
  let answer = "";
  let goesOn = false;
  let interrupted = false;
  let guard = createGuard(session.messages);
  let start = session.messages.length;

  const turn: RunningTurn = {
    options,
    session,
    signal: AbortSignal.any([signal, deadlineOf(options)]),
    get guard() {
      return guard;
    },
    get start() {
      return start;
    },
    inARow: { cut: 0, empty: 0, refused: 0 },
    counted: undefined,
    fit: "unknown",
    rounds: new Map(),
    get steps() {
      return steps;
    },
    get answer() {
      return answer;
    },
    record(event) {
      if (turn.signal.aborted && !interrupted && event.type !== "start") {
        interrupted = true;
        turn.record({ type: "interrupted", by: turn.interruption() });
      }
      session.append(event);
      emit(event);
    },
    add(message) {
      turn.record({ type: "message", message });
    },
    takeAnswer(text) {
      if (text.trim() !== "") answer = goesOn ? answer + text : text;
      goesOn = false;
    },
    continueAnswer() {
      goesOn = true;
    },
    say(text) {
      turn.add({ role: "user", content: [fromHarness(text)] });
    },
    spend(spent) {
      steps += 1;
      usage = addUsage(usage, spent);
    },
    compact(outcome) {
      usage = addUsage(usage, outcome.usage);
      const event: Compaction = { type: "compaction", ...outcome, dollars: options.cost(outcome.usage) };
      turn.record(event);
      if (event.replaced !== undefined) {
        start = Math.max(1, start - event.replaced.upTo + 1);
        guard = createGuard(session.messages); // the model no longer knows what it has called
      }
      return event;
    },
    inner(call, event) {
      if (event.type === "step" || event.type === "compaction") usage = addUsage(usage, event.usage);
      turn.record({ type: "explored", id: call, event });
    },
    tokensLeft: () => Math.max(0, budget.tokens - totalTokens(usage)),
    exhausted() {
      if (turn.signal.aborted) return turn.interruption();
      if (steps >= budget.steps) return "max_turns";
      if (turn.tokensLeft() === 0) return "token_budget";
      return undefined;
    },
    interruption: () => (signal.aborted ? "cancelled" : "timeout"),
    stop(status, failure) {
      for (const event of options.lastWords?.() ?? []) turn.record(event);
      const dollars = options.cost(usage);
      turn.record({ type: "stop", status, steps, usage, dollars, answer, failure });
      return { status, answer, failure };
    },
  };

  turn.record({
    type: "start",
    session: session.id,
    root: options.root,
    model: options.model.id,
    task,
    trace: session.file,
    earlier: session.spent.turns > 0 ? session.spent : undefined,
    setup: setupOf(options),
  });
  turn.add({ role: "user", content: [{ type: "text", text: task }] });
  return turn;
}

/** Fires once the time is up that what begins now may take. */
export function deadlineOf({ budget, deadline = timer }: Pick<AgentOptions, "budget" | "deadline">): AbortSignal {
  return deadline(budget.ms);
}

function timer(ms: number): AbortSignal {
  return AbortSignal.timeout(Math.min(ms, longestTimer));
}
