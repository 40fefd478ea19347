/**
 * The port of a model: a function of system prompt, tools and messages. The loop never knows which one it holds. Retry
 * and the dollar ceiling are functions around it: `retry(budget(adapter))`.
 */

import type { Failure } from "../error.ts";
import { noUsage, originOf, type AssistantMessage, type Message, type TextBlock, type Usage } from "../message.ts";

/** The name under which a service knows a tool that it has defined itself: its models were made to use it so. */
export type DefinedBy = { readonly type: string };

/** `schema` is JSON Schema. `wire`: what a service that has defined the tool is told in place of words and schema. */
export type ToolSpec = { name: string; description: string; schema: object; wire?: DefinedBy | undefined };

/** All that a model is asked with: one request. */
export type ModelRequest = {
  system: readonly TextBlock[];
  tools: readonly ToolSpec[];
  messages: readonly Message[];
  /** Tokens of output at most. */
  maxTokens: number;
};

/** A piece of a reply while it is streamed. What it comes to is in the reply; nothing is kept of it. */
export type Delta =
  | { type: "text" | "progress"; text: string }
  /** `chars`: of the input so far. */
  | { type: "tool_input"; id: string; name: string; chars: number }
  | { type: "notice"; code: string; text: string }
  /** What streamed so far is to be forgotten: the request is made again. */
  | { type: "discard" };

/** Blocks of a request, by their places: those that a service refuses the request for. */
export type Named = { message: number; blocks: readonly number[] };

/** Why a reply ended. */
export type Stop =
  | "end_turn"
  | "tool_use"
  | "max_tokens"
  | "refusal"
  | "pause"
  | "context_full"
  | "aborted"
  | { failed: Failure; named?: Named | undefined }
  | { unknown: string };

/** What failed, where a stop says that something did. */
export function failureIn(stop: Stop): Failure | undefined {
  return typeof stop === "object" && "failed" in stop ? stop.failed : undefined;
}

/** Whether a request was refused before it was made. */
export function isUnsent(stop: Stop): boolean {
  return ["E_DOLLAR_BUDGET", "E_NO_PRICE"].includes(failureIn(stop)?.code ?? "");
}

/** `badInputs`: tool_use id -> why its input could not be parsed; such calls are answered with an error, never run. */
export type Reply = { message: AssistantMessage; usage: Usage; stop: Stop; badInputs: ReadonlyMap<string, string> };

/** The reply of a model that said nothing. */
export function emptyReply(modelId: string, stop: Stop): Reply {
  const message = { role: "assistant" as const, content: [], origin: originOf(modelId) };
  return { message, usage: noUsage, stop, badInputs: new Map() };
}

/**
 * Failures are a stop, not an exception: `{failed}` with a Failure that says whether trying again may help, or
 * "aborted" once the signal fired. A partial reply that failed carries the usage known so far and the text that
 * arrived.
 */
export type Respond = (request: ModelRequest, sink: (delta: Delta) => void, signal: AbortSignal) => Promise<Reply>;

/** What a model takes in. */
export interface Window {
  /** Tokens that fit into one request and its reply. */
  readonly context: number;
  /** Takes images. A request to a model that does not holds none: the view of the session tells it in words. */
  readonly images: boolean;
  /**
   * Old results are sent however long the prompt is: the service leaves them out itself, or the model needs them all.
   */
  readonly wantsAllResults?: boolean | undefined;
}

/** Who is asked. A failure is a stop of the reply, never an exception. */
export interface Model extends Window {
  /** provider/model, or one bare word for a model that is no service. */
  readonly id: string;
  /** Tokens of output at most. */
  readonly output: number;
  readonly respond: Respond;
}

/** A model around another one, as `retry` and `budget` make. */
export type Wrapper = (inner: Model) => Model;
