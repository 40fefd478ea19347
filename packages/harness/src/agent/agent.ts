/** What the loop is given, and what a turn comes to. */

import type { Check } from "../check/check.ts";
import type { FailureData } from "../error.ts";
import type { Budget, Event, Status } from "../event.ts";
import type { TextBlock, Usage } from "../message.ts";
import type { Model } from "../model/model.ts";
import type { Session } from "../session/session.ts";
import type { Tool } from "../tool/tool.ts";
import type { GrowingLedger } from "../workspace/ledger.ts";
import type { ReadLines } from "../workspace/lines.ts";
import type { Workspace } from "../workspace/workspace.ts";

export type AgentOptions = {
  model: Model;
  /** Tokens of output at most, each request. */
  maxTokens: number;
  /** Frozen for the session, like the tools: the provider's cache and its thinking checks depend on it. */
  system: readonly TextBlock[];
  tools: readonly Tool[];
  /** Gated doors. */
  workspace: Workspace;
  ledger: GrowingLedger;
  checks: readonly Check[];
  /** What the checks read the files with. */
  lines: ReadLines;
  session: Session;
  /** The real path the session works in, for the record. */
  root: string;
  budget: Budget;
  /** Fires when the time is up. Default: a timer of the platform. */
  deadline?: ((ms: number) => AbortSignal) | undefined;
  /** Dollars of so much usage, or undefined where the model has no price. */
  cost: (usage: Usage) => number | undefined;
  emit: (event: Event) => void;
};

/** How a turn ended. `answer` is the text of the last reply, also where the turn did not end well. */
export type TurnResult = { status: Status; answer: string; failure?: FailureData | undefined };
