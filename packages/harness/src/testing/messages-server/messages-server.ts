/**
 * A strict stand-in for the Messages API: real HTTP on loopback, scripted answers. It refuses what the API refuses and
 * counts what the API counts, so that a request that passes here is one that passes there.
 */

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { PlainAnswer } from "../http/delivery.ts";
import { sendPlain, sendStream } from "../http/send.ts";
import { invented } from "../http/invented.ts";
import { bodyOf, serve, type LoopbackServer } from "../http/serve.ts";
import { admit } from "./admission.ts";
import { memory } from "./memory.ts";
import { promptCache } from "./prompt-cache.ts";
import type { MessagesRequest, Surface } from "./request.ts";
import { httpError, type Answer, type ServerReply, type ServerScript, type UsageReport } from "./script.ts";
import { compose, messageOf } from "./stream.ts";

export type MessagesServerOptions = {
  script: ServerScript;
  /** The key it accepts; null: it asks for none. Default: "test-key". */
  apiKey?: string | null | undefined;
  /** Default: claude-opus-5-5 alone. */
  models?: readonly string[] | undefined;
  /** compatible: knows the plain API, and refuses all that goes beyond it. Default: anthropic. */
  surface?: Surface | undefined;
  /** Whether system prompt and tools have to stay what they were in a conversation. Default: true. */
  frozen?: boolean | undefined;
};

export type RecordedRequest = {
  headers: IncomingHttpHeaders;
  body: MessagesRequest;
  /** What was counted; undefined where the answer was no message. */
  usage: UsageReport | undefined;
};

export interface MessagesServer extends LoopbackServer {
  /** The requests that were admitted, in order. */
  readonly requests: readonly RecordedRequest[];
  /** The answers to the others, each with its reason. */
  readonly rejections: readonly string[];
}

/** Starts the server on a free port of loopback. Whoever starts it closes it. */
export async function startMessagesServer(options: MessagesServerOptions): Promise<MessagesServer> {
  const { script, apiKey = "test-key", models = ["claude-opus-5-5"], surface = "anthropic", frozen = true } = options;
  const requests: RecordedRequest[] = [];
  const rejections: string[] = [];
  const said = memory(frozen);
  const cache = promptCache();
  const madeUp = invented();

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = admit(incoming, await bodyOf(incoming), { apiKey, models, surface, madeUp }, said);
    if ("status" in request) {
      rejections.push(request.body);
      return sendPlain(request, response);
    }
    const recorded: RecordedRequest = { headers: incoming.headers, body: request, usage: undefined };
    const n = requests.push(recorded);
    const reply = answerOf(typeof script === "function" ? script(request, n) : script[n - 1], n);
    if ("status" in reply) return sendPlain(reply, response);
    const composed = compose(reply, n, request.model, cache.count(request));
    recorded.usage = composed.usage;
    if (request.stream !== true) sendPlain(messageOf(composed, n, request.model), response);
    else if (!(await sendStream(composed.events, reply, response)) || !composed.whole) return;
    said.remember(request, composed.content, composed.stop);
    const called = composed.content.flatMap((block) => (block.type === "tool_use" ? [String(block["name"])] : []));
    madeUp.note(called, request.tools?.map(({ name }) => name) ?? []);
  };

  const served = await serve(answer, (reason) => rejections.push(reason));
  return { ...served, requests, rejections };
}

function answerOf(reply: ServerReply | undefined, n: number): Answer | PlainAnswer {
  if (reply === undefined) return httpError(400, `The script has no reply for request ${n}.`);
  if ("status" in reply || "parts" in reply) return reply;
  return { parts: "type" in reply ? [reply] : reply };
}
