/** The words a test speaks: what the server is to answer, down to the byte where it breaks off. */

import type { Part } from "../../model/scripted.ts";
import type { Delivery, PlainAnswer } from "../http/delivery.ts";
import type { MessagesRequest } from "./request.ts";

export { call, say, think } from "../../model/scripted.ts";
export { html } from "../http/delivery.ts";

export type WirePart =
  | Part
  /** A call whose input is this text, JSON or not. */
  | { type: "raw_call"; name: string; json: string }
  /** Any other block: its first fields, and the deltas that follow. */
  | { type: "raw_block"; fields: object; deltas: readonly object[] }
  /** An event that belongs to no block: unknown ones, pings. */
  | { type: "raw_event"; data: { type: string } }
  /** The stream ends with this error. */
  | { type: "error"; kind: string; message: string };

export type UsageReport = { input: number; cacheRead: number; cacheWrite: number; output: number };

export type Answer = Delivery & {
  parts: readonly WirePart[];
  /** stop_reason. Default: tool_use where there is a call, end_turn elsewhere. */
  stop?: string | undefined;
  /** Tokens to report instead of the server's own count. */
  usage?: Partial<UsageReport> | undefined;
};

export type ServerReply = WirePart | readonly WirePart[] | Answer | PlainAnswer;
/** The replies in order, or a function of the request and its number, counted from 1. */
export type ServerScript = readonly ServerReply[] | ((request: MessagesRequest, n: number) => ServerReply);

/** Some parts with settings of the stream. */
export function reply(parts: WirePart | readonly WirePart[], settings: Omit<Answer, "parts"> = {}): Answer {
  return { parts: "type" in parts ? [parts] : parts, ...settings };
}

/** A call whose input is given as text and need not be JSON. */
export function rawCall(name: string, json: string): WirePart {
  return { type: "raw_call", name, json };
}

/** A block of any kind, streamed as the given deltas. */
export function rawBlock(fields: { type: string }, ...deltas: { type: string }[]): WirePart {
  return { type: "raw_block", fields, deltas };
}

/** An event of any kind between two blocks. */
export function rawEvent(data: { type: string }): WirePart {
  return { type: "raw_event", data };
}

/** An error in the middle of a stream; nothing follows it. */
export function errorEvent(kind: string, message: string = kind): WirePart {
  return { type: "error", kind, message };
}

/** An error instead of a stream, in the shape the API gives it. */
export function httpError(
  status: number,
  message: string = "scripted error",
  headers: Record<string, string> = {},
): PlainAnswer {
  const body = JSON.stringify({ type: "error", error: { type: errorType(status), message } });
  return { status, headers: { "content-type": "application/json", ...headers }, body };
}

function errorType(status: number): string {
  return errorTypes.get(status) ?? (status >= 500 ? "api_error" : "invalid_request_error");
}

const errorTypes: ReadonlyMap<number, string> = new Map([
  [401, "authentication_error"],
  [402, "billing_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [413, "request_too_large"],
  [429, "rate_limit_error"],
  [504, "timeout_error"],
  [529, "overloaded_error"],
]);
