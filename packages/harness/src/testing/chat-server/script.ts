/** The words a test speaks: what the server is to answer, and how it strays from the book while it does. */

import type { Part } from "../../model/scripted.ts";
import type { Delivery, PlainAnswer } from "../http/delivery.ts";
import type { Quirks } from "./quirks.ts";
import type { ChatRequest } from "./request.ts";

export type ChatPart =
  | Part
  /** A call whose input is this text, JSON or not. */
  | { type: "raw_call"; name: string; json: string }
  /** Any chunk; text is sent as it is. */
  | { type: "raw_chunk"; data: object | string };

/** `cached` is a part of `prompt`, as the API counts it. */
export type TokenCounts = { prompt: number; cached: number; completion: number };

export type ChatAnswer = Delivery & {
  parts: readonly ChatPart[];
  /** finish_reason. Default: tool_calls where there is a call, stop elsewhere. */
  finish?: string | undefined;
  /** Tokens to report instead of the server's own count. */
  usage?: Partial<TokenCounts> | undefined;
  quirks?: Partial<Quirks> | undefined;
};

export type ChatReply = ChatPart | readonly ChatPart[] | ChatAnswer | PlainAnswer;
/** The replies in order, or a function of the request and its number, counted from 1. */
export type ChatScript = readonly ChatReply[] | ((request: ChatRequest, n: number) => ChatReply);

/** Some parts with settings of the answer. */
export function reply(parts: ChatPart | readonly ChatPart[], settings: Omit<ChatAnswer, "parts"> = {}): ChatAnswer {
  return { parts: "type" in parts ? [parts] : parts, ...settings };
}

/** A call whose input is given as text and need not be JSON. */
export function rawCall(name: string, json: string): ChatPart {
  return { type: "raw_call", name, json };
}

/** A chunk of any shape. */
export function rawChunk(data: object | string): ChatPart {
  return { type: "raw_chunk", data };
}

/** An error in the middle of a stream. */
export function errorChunk(message: string, fields: object = {}): ChatPart {
  return rawChunk({ error: { message, ...fields } });
}

/** An error instead of an answer, in the shape most servers give it. */
export function httpError(
  status: number,
  message: string = "scripted error",
  fields: object = {},
  headers: Record<string, string> = {},
): PlainAnswer {
  const error = { message, type: status >= 500 ? "server_error" : "invalid_request_error", param: null, code: null };
  const body = JSON.stringify({ error: { ...error, ...fields } });
  return { status, headers: { "content-type": "application/json", ...headers }, body };
}
