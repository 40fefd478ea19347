/**
 * What happened: one union that screen, JSON output, trace and evals all consume. None of them has a path of its own.
 */

import type { FailureData } from "./error.ts";
import type { Action } from "./gate/action.ts";
import type { Unasked, Verdict } from "./gate/gate.ts";
import type { Message, TextBlock, Usage, UserMessage } from "./message.ts";
import type { Delta, Stop, ToolSpec, Window } from "./model/model.ts";
import type { Landed } from "./workspace/change.ts";
import type { Shown } from "./workspace/ledger.ts";
import type { CitedLines } from "./workspace/lines.ts";

/** How a turn can end: a closed set, each with an exit code of its own. */
export type Status =
  | "done"
  | "error"
  | "max_turns"
  | "token_budget"
  | "dollar_budget"
  | "timeout"
  | "max_tokens"
  | "refused"
  | "stuck"
  | "check_failed"
  | "cancelled";

/** What ends a turn from outside. */
export type Interruption = Extract<Status, "cancelled" | "timeout">;

/**
 * What one turn may use, checked before each model request. `tokens` counts everything read or written, cached or not.
 * Dollars are no business of the loop: `model/budget.ts` refuses the request that could pass the ceiling.
 */
export type Budget = { steps: number; tokens: number; ms: number };

/** What a turn was given besides its task: with the messages, all that the model is told. */
export type Setup = {
  budget: Budget;
  /** Tokens of output at most, each request. */
  maxTokens: number;
  /** What fits into a request, on which it depends what is left out of it. */
  window?: Window | undefined;
  system: readonly TextBlock[];
  tools: readonly ToolSpec[];
};

/**
 * `report` goes to the model; `final` ends the turn even where rounds are left. `note` is for people; `unverified`: it
 * passes because it could not be told.
 */
export type CheckResult =
  | { pass: true; note?: string | undefined; unverified?: true | undefined }
  | { pass: false; report: string; final?: "check_failed" | undefined };

/**
 * verified: exists, was shown, says it. broken: does not exist. unseen: never shown. mismatch: names something else.
 */
export type CitationState = "verified" | "broken" | "unseen" | "mismatch";

/** One thing on the list that a model keeps of its work. The `details` of the result that set it are `{ todos: Todo[] }`. */
export type Todo = { text: string; state: "pending" | "doing" | "done" };

/** What is told of an agent that works inside a call: its calls, and what it used. */
export type Inner = Extract<Event, { type: "step" | "compaction" | "tool_call" | "tool_result" | "notice" }>;

/** What a session came to. `dollars`: undefined where a model had no price. */
export type Spent = { turns: number; dollars: number | undefined };

/** What was used of one model in a session. `dollars`: undefined where it had no price. */
export type Used = { model: string; usage: Usage; dollars: number | undefined };

/** What happened, in the order in which it happened: a screen, a log and a trace are made of nothing else. */
export type Event =
  | {
      type: "start";
      session: string;
      root: string;
      model: string;
      task: string;
      trace?: string | undefined;
      /** Before this turn, where it is not the first. */
      earlier?: Spent | undefined;
      /** A turn without it cannot be replayed. */
      setup?: Setup | undefined;
    }
  /**
   * What the user put beside the task, in the message that follows; `preview` says why it is not there where it is not
   * `ok`.
   */
  | {
      type: "attachment";
      name: string;
      ok: boolean;
      chars: number;
      preview: string;
      shown?: readonly Shown[] | undefined;
    }
  /** The user said it while the turn ran; it is the message that follows. */
  | { type: "steered"; text: string }
  | { type: "delta"; delta: Delta }
  /** The session folds these. */
  | { type: "message"; message: Message }
  | {
      type: "step";
      step: number;
      usage: Usage;
      dollars: number | undefined;
      stop: Stop;
      /** The request was not made: the ceiling in dollars stood against it. It counts as no step. */
      unsent?: true | undefined;
      /** Calls whose input could not be parsed, by id, and why. */
      badInputs?: Readonly<Record<string, string>> | undefined;
      /** What arrived of a reply that ended the turn and is no message of the session. */
      partial?: string | undefined;
    }
  /**
   * A request for notes on what was said first, so that the rest goes on to fit; no step. `replaced`: the first `upTo`
   * messages of the session gave way to `by`. Without it, nothing came of the request.
   */
  | {
      type: "compaction";
      /** The model's words. */
      notes: string;
      usage: Usage;
      dollars: number | undefined;
      stop: Stop;
      replaced?: { upTo: number; by: UserMessage } | undefined;
    }
  | { type: "tool_call"; id: string; name: string; input: unknown }
  | { type: "decision"; action: Action; verdict: Verdict }
  /** Output of a call that still runs, readable, for who watches; like a delta it is not kept. */
  | { type: "output"; id: string; text: string }
  | {
      type: "tool_result";
      id: string;
      name: string;
      ok: boolean;
      /** Characters of text the model gets. */
      chars: number;
      /** The first line. */
      preview: string;
      shown?: readonly Shown[] | undefined;
      /** The files it changed. */
      landed?: readonly Landed[] | undefined;
      details?: unknown;
    }
  /**
   * Of an agent that works inside the call with this id. What it used counts for the turn; of its results what they
   * showed is left out, and so are the messages, which nobody but it was sent.
   */
  | { type: "explored"; id: string; event: Inner }
  /** What a check read of the project; undefined: nothing that may be read stands there. */
  | { type: "lines"; path: string; from: number; to: number; found: CitedLines | undefined }
  /**
   * The service refused a request for this block (`markOf`); from now on a note stands in its place. `what`: its kind.
   */
  | { type: "rejected"; block: string; what: string; reason: string }
  /** Cancelled, or out of time: told just before the first event that comes after it. */
  | { type: "interrupted"; by: Interruption }
  | { type: "check"; name: string; result: CheckResult }
  | { type: "citation"; ref: string; state: CitationState; reason?: string | undefined }
  | { type: "notice"; code: string; text: string }
  | {
      type: "stop";
      status: Status;
      steps: number;
      usage: Usage;
      /** undefined: the model has no price. */
      dollars: number | undefined;
      answer: string;
      failure?: FailureData | undefined;
      /** How many actions were refused in the turn only because nobody could be asked, by what would have allowed them. */
      unasked?: Readonly<Record<Unasked, number>> | undefined;
    };
