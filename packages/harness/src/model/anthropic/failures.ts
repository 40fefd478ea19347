/** Every way a request to the Messages API can go wrong, as a Failure. */

import type * as Sdk from "@anthropic-ai/sdk";
import { asFailure, Failure } from "../../error.ts";
import { failureOfConnection, failureOfRefusal, streamCut } from "../http-failure.ts";

export type Service = { baseUrl: string; apiKey: string | undefined };

/** The Failure for whatever the official client or the reading of its stream threw. */
export function failureOf(thrown: unknown, sdk: typeof Sdk | undefined, { baseUrl, apiKey }: Service): Failure {
  if (thrown instanceof Failure) return thrown;
  if (sdk === undefined) return asFailure(thrown);
  if (thrown instanceof sdk.APIConnectionTimeoutError) return streamCut(`${baseUrl} did not begin to answer in time.`);
  if (thrown instanceof sdk.APIConnectionError) return failureOfConnection(thrown.cause ?? thrown, baseUrl, apiKey);
  if (thrown instanceof sdk.APIError && typeof thrown.status === "number") {
    const { status, type, apiMessage, message, headers } = thrown;
    return failureOfRefusal({ status, type: type ?? undefined, message: apiMessage ?? message, headers }, apiKey);
  }
  return asFailure(thrown);
}

/** The Failure for an error event in the middle of a stream. */
export function failureOfEvent(error: Record<string, unknown>): Failure {
  const { type, message } = error;
  return failureOfRefusal(
    {
      status: undefined,
      type: typeof type === "string" ? type : undefined,
      message: typeof message === "string" ? message : "it sent an error without a message",
      headers: undefined,
    },
    undefined,
  );
}

/** An answer that is no stream of messages, whatever its status says. */
export function malformed(what: string): Failure {
  return new Failure("E_BAD_ANSWER", `The answer is not a stream of messages: ${what}.`, {
    remedy: "Check that the base URL leads to a server that speaks the Messages API.",
    retryAfterMs: 0,
  });
}
