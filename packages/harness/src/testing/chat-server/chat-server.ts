/**
 * A strict stand-in for servers of the Chat Completions API: real HTTP on loopback, scripted answers. It refuses what
 * any of them refuses, and strays from the book in whatever way a test asks for.
 */

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { PlainAnswer } from "../http/delivery.ts";
import { sendPlain, sendStream } from "../http/send.ts";
import { invented, type Invented } from "../http/invented.ts";
import { bodyOf, jsonOf, serve, type LoopbackServer } from "../http/serve.ts";
import { byTheBook, type Quirks } from "./quirks.ts";
import { parseRequest, type ChatRequest, type Surface } from "./request.ts";
import { ruleComplaint } from "./rules.ts";
import { httpError, type ChatAnswer, type ChatReply, type ChatScript, type TokenCounts } from "./script.ts";
import { compose } from "./stream.ts";

export type ChatServerOptions = {
  script: ChatScript;
  /** The key it accepts; null: it asks for none. Default: "test-key". */
  apiKey?: string | null | undefined;
  /** Default: "test" alone. */
  models?: readonly string[] | undefined;
  /** Of every answer that has none of its own. */
  quirks?: Partial<Quirks> | undefined;
  /** Default: max_tokens, no images, no reasoning. */
  surface?: Partial<Surface> | undefined;
};

type RecordedChat = {
  headers: IncomingHttpHeaders;
  body: ChatRequest;
  /** What was counted; undefined where the answer was an error. */
  usage: TokenCounts | undefined;
};

/** Its url ends in `/v1`, as a base URL does. */
export interface ChatServer extends LoopbackServer {
  /** The requests that were admitted, in order. */
  readonly requests: readonly RecordedChat[];
  /** The answers to the others, each with its reason. */
  readonly rejections: readonly string[];
}

/** Starts the server on a free port of loopback. Whoever starts it closes it. */
export async function startChatServer(options: ChatServerOptions): Promise<ChatServer> {
  const { script, apiKey = "test-key", models = ["test"], quirks } = options;
  const surface: Surface = {
    limit: "max_tokens",
    images: false,
    reasoning: false,
    signatures: false,
    ...options.surface,
  };
  const requests: RecordedChat[] = [];
  const rejections: string[] = [];
  const madeUp = invented();
  let known = "";

  /** Servers cache by themselves: what a prompt shares with the one before it is read again. */
  const count = ({ tools, messages }: ChatRequest): { prompt: number; cached: number } => {
    const prompt = JSON.stringify([tools, messages]);
    const cached = commonStart(prompt, known);
    known = prompt;
    return { prompt: Math.ceil(prompt.length / 4), cached: Math.floor(cached / 4) };
  };

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = admit(incoming, await bodyOf(incoming), { apiKey, models, surface, madeUp });
    if ("status" in request) {
      rejections.push(request.body);
      return sendPlain(request, response);
    }
    const recorded: RecordedChat = { headers: incoming.headers, body: request, usage: undefined };
    const n = requests.push(recorded);
    const reply = answerOf(typeof script === "function" ? script(request, n) : script[n - 1], n);
    if ("status" in reply) return sendPlain(reply, response);
    const own = { ...byTheBook, ...quirks, ...reply.quirks };
    const composed = compose(reply, n, own, count(request));
    recorded.usage = composed.counted;
    const called = reply.parts.flatMap((part) => ("name" in part ? [part.name] : []));
    madeUp.note(called, request.tools?.map((tool) => tool.function.name) ?? []);
    if (own.stream && request.stream === true) await sendStream(composed.events, reply, response);
    else sendPlain(composed.plain, response);
  };

  const served = await serve(answer, (reason) => rejections.push(reason));
  return { ...served, url: `${served.url}/v1`, requests, rejections };
}

type Admission = { apiKey: string | null; models: readonly string[]; surface: Surface; madeUp: Invented };

/** The request, or the answer that refuses it. */
function admit(
  { method, url, headers }: IncomingMessage,
  bytes: Buffer,
  { apiKey, models, surface, madeUp }: Admission,
): ChatRequest | PlainAnswer {
  if (method !== "POST" || url !== "/v1/chat/completions") {
    return { status: 404, headers: { "content-type": "text/plain" }, body: "404 page not found" };
  }
  // The key is repeated, as careless services do: nobody may pass such words on.
  const key = headers.authorization?.replace(/^Bearer /, "") ?? "";
  if (apiKey !== null && key !== apiKey)
    return httpError(401, `Incorrect API key provided: ${key}`, { code: "invalid_api_key" });
  const json = jsonOf(bytes);
  if (typeof json === "string") return httpError(400, `The request body is not valid JSON: ${json}`);
  const parsed = parseRequest(json.value, surface);
  if ("complaint" in parsed) return httpError(400, parsed.complaint);
  const { request } = parsed;
  if (!models.includes(request.model)) {
    return httpError(404, `model "${request.model}" not found, try pulling it first`, { type: "api_error" });
  }
  const complaint = ruleComplaint(request, madeUp);
  return complaint === undefined ? request : httpError(400, complaint);
}

function answerOf(reply: ChatReply | undefined, n: number): ChatAnswer | PlainAnswer {
  if (reply === undefined) return httpError(400, `The script has no reply for request ${n}.`);
  if ("status" in reply || "parts" in reply) return reply;
  return { parts: "type" in reply ? [reply] : reply };
}

function commonStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}
