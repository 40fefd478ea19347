/** What the loop is given, and what a turn comes to. */

import type { Check } from "../check/check.ts";
import type { FailureData } from "../error.ts";
import type { Budget, Event, Inner, Status } from "../event.ts";
import type { ImageBlock, TextBlock, Usage } from "../message.ts";
import type { Model } from "../model/model.ts";
import type { Session } from "../session/session.ts";
import type { Explored, Tool, ToolContext } from "../tool/tool.ts";
import type { GrowingLedger, Shown } from "../workspace/ledger.ts";
import type { ReadLines } from "../workspace/lines.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** Not `ok`: it was asked for and is not attached; then `content` says so to the model, if it should know. */
export type Attachment = {
  /** As it was asked for. */
  name: string;
  ok: boolean;
  /** One line for people: what was attached, or why not. */
  preview: string;
  content: readonly (TextBlock | ImageBlock)[];
  /** The lines of the project that `content` holds. */
  shown?: readonly Shown[] | undefined;
};

/** Gathers what is to be attached, once the turn has begun. Never throws; stops early when the signal fires. */
export type Attach = (signal: AbortSignal) => Promise<readonly Attachment[]>;

/** What the user says in the middle of a turn, and what goes with it. */
export type Steered = { text: string; attach?: Attach | undefined };

/** What an agent inside a turn has of it. */
export type Inside = {
  /** Tokens that the turn may still use. */
  tokensLeft: () => number;
  tell: (event: Inner) => void;
};

/** Has a question answered by an agent inside the turn. Throws only the signal's reason. */
export type Explorer = (question: string, inside: Inside, signal: AbortSignal) => Promise<Explored>;

/** All that a turn of the loop works with: ports, and no adapter. */
export type AgentOptions = {
  model: Model;
  /** Tokens of output at most, each request. */
  maxTokens: number;
  /** Frozen for the session, like the tools: the provider's cache and its thinking checks depend on it. */
  system: readonly TextBlock[];
  tools: readonly Tool[];
  /** Gives what goes with the task of a turn. */
  attach?: Attach | undefined;
  /**
   * Takes what the user has said since it was last asked. It is asked between two steps and before the turn would end,
   * until there is nothing more, and not once the turn may make no further request.
   */
  steering?: (() => readonly Steered[]) | undefined;
  /** Gated doors. */
  workspace: Workspace;
  ledger: GrowingLedger;
  /** Absent where programs are not run. */
  runner?: ToolContext["runner"];
  outputs?: ToolContext["outputs"];
  /** Absent where no tool asks another agent. */
  explorer?: Explorer | undefined;
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
  /** Gives what is still to be told before the turn stops, however it comes to that. */
  lastWords?: (() => readonly Event[]) | undefined;
  emit: (event: Event) => void;
};

/** How a turn ended. `answer` is the text of the last reply, also where the turn did not end well. */
export type TurnResult = { status: Status; answer: string; failure?: FailureData | undefined };
