/** A strict service over either API that answers as a schedule says, and counts what it would bill. */

import { anthropic } from "../../model/anthropic.ts";
import { chatCompletions } from "../../model/chat-completions.ts";
import type { Model } from "../../model/model.ts";
import type { Usage } from "../../message.ts";
import { startChatServer } from "../chat-server/chat-server.ts";
import { httpError as chatError, type ChatReply } from "../chat-server/script.ts";
import { html } from "../http/delivery.ts";
import { fine, refuser, type Api } from "../interruptions.testing.ts";
import { startMessagesServer } from "../messages-server/messages-server.ts";
import { httpError, type ServerReply } from "../messages-server/script.ts";
import { connectionError, damaged, isCounted, isRefusal, responseOf } from "./damage.testing.ts";
import type { Answer, Reply, Schedule } from "./schedule.testing.ts";
import { counted, openTill, promptTokens, type Till } from "./till.testing.ts";

export type FaultyService = {
  till: Till;
  /** Requests that no service takes. */
  rejections: readonly string[];
  /** `idleMs`: after which silence counts as a cut. */
  model(context: number, idleMs: number): Model;
  /** From now on it answers well. */
  recover(): void;
  close(): Promise<void>;
};

type Plan = { reply: Reply; usage: Usage | undefined };

const well: Answer = {
  kind: "answer",
  ...fine,
  stop: undefined,
  counting: { read: 0.5, written: 0.5, filled: 0.01 },
  boast: 0,
  damage: undefined,
  chunk: undefined,
};

const refusal: Reply = { kind: "a block is refused" };

/** `asked` hears of every request that is admitted. */
export async function serveFaults(
  { api, density, boasts, replies }: Schedule,
  asked: () => void,
): Promise<FaultyService> {
  const waiting = [...replies];
  const till = openTill();
  const refusing = refuser();
  let plan: Plan | undefined;

  /** What is answered to the request, or the place of the block for which it is refused. */
  function planFor(request: Request, parts: readonly unknown[], maxTokens: number): { plan: Plan; place?: number } {
    const known = refusing.placeIn(parts);
    const reply = known === undefined ? (waiting.shift() ?? well) : refusal;
    if (known === undefined && reply.kind === "a block is refused" && isRefusable(request))
      refusing.refuse(parts.at(-1));
    const place = refusing.placeIn(parts);
    const prompt = promptTokens(request, density);
    till.enter(prompt, maxTokens);
    const usage = reply.kind === "answer" ? usageOf(reply, prompt, maxTokens) : undefined;
    const isFree = reply.kind === "error" || reply.kind === "page" || place !== undefined;
    if (isFree) till.settle(undefined);
    else if (reply.kind === "answer" && reply.damage === undefined) till.settle(usage);
    asked();
    plan = { reply, usage };
    return { plan, ...(place !== undefined && { place }) };
  }

  function usageOf({ counting, boast, damage, parts }: Answer, prompt: number, maxTokens: number): Usage {
    const usage = counted({ prompt, maxTokens, said: promptTokens(parts, density) }, counting);
    // What nobody hears cannot be kept to: only an answer that is read to its end may boast.
    if (!boasts || damage !== undefined || parts.some((part) => "id" in part && part.id !== undefined)) return usage;
    return { ...usage, output: usage.output + boast, cacheRead: usage.cacheRead + boast };
  }

  const between: typeof globalThis.fetch = async (url, init) => {
    if (waiting[0]?.kind === "unreachable") {
      waiting.shift();
      throw connectionError("ECONNREFUSED");
    }
    plan = undefined;
    const response = await fetch(url, init);
    const { reply, usage } = planned();
    if (reply?.kind === "reset") {
      await response.text();
      throw connectionError("ECONNRESET");
    }
    if (reply?.kind !== "answer" || reply.damage === undefined) return response;
    const arrived = damaged(await response.text(), reply.damage, api);
    if (boasts && arrived.end === "silence") arrived.end = "reset"; // what ends by a clock may end before a boast is heard
    if (isCounted(arrived, api)) till.settle(usage);
    else if (isRefusal(arrived, reply.damage)) till.settle(undefined);
    return responseOf(arrived, response);
  };
  const planned = (): Partial<Plan> => plan ?? {};

  const started = await starters[api](planFor);
  return {
    till,
    rejections: started.rejections,
    model: (context, idleMs) => started.model({ context, output: 4_000, idleMs, fetch: between }),
    recover: () => void waiting.splice(0),
    close: started.close,
  };
}

/** Whoever refuses what it said itself, or the note in place of what it refused, can never be asked again. */
function isRefusable({ messages }: Request): boolean {
  const last = messages.at(-1);
  return last?.role !== "assistant" && !JSON.stringify(last).includes("The service refused it");
}

type Request = { system?: unknown; tools?: unknown; messages: readonly { role: string }[] };
type Planning = (request: Request, parts: readonly unknown[], maxTokens: number) => { plan: Plan; place?: number };
type Client = { context: number; output: number; idleMs: number; fetch: typeof globalThis.fetch };
type Started = { rejections: readonly string[]; model: (client: Client) => Model; close: () => Promise<void> };

const starters: Readonly<Record<Api, (planFor: Planning) => Promise<Started>>> = {
  async messages(planFor) {
    const server = await startMessagesServer({
      script({ system, tools, messages, max_tokens: maxTokens }) {
        const parts = messages.map(({ content }) => content[0]);
        const { plan, place } = planFor({ system, tools, messages }, parts, maxTokens);
        return place === undefined ? messagesReply(plan) : httpError(400, `messages.${place}.content.0: not valid`);
      },
    });
    const { url, rejections } = server;
    const settings = { model: "claude-opus-5-5", apiKey: "test-key", baseUrl: url };
    return { rejections, model: (client) => anthropic({ ...settings, ...client }), close: () => server.close() };
  },
  async chat(planFor) {
    const server = await startChatServer({
      script({ tools, messages, max_tokens: maxTokens = 0 }) {
        const { plan, place } = planFor({ tools, messages }, messages, maxTokens);
        return place === undefined
          ? chatReply(plan)
          : chatError(400, `Invalid 'messages[${place}].content': not valid`);
      },
    });
    const { url, rejections } = server;
    const settings = { provider: "test", model: "test", apiKey: "test-key", baseUrl: url };
    return { rejections, model: (client) => chatCompletions({ ...settings, ...client }), close: () => server.close() };
  },
};

const messagesStops = {
  max_tokens: "max_tokens",
  refusal: "refusal",
  pause: "pause_turn",
  context_full: "model_context_window_exceeded",
  "unheard of": "unheard_of",
};
/** This API has no word for a pause or a full context. */
const chatStops = {
  max_tokens: "length",
  refusal: "content_filter",
  pause: undefined,
  context_full: "length",
  "unheard of": "unheard_of",
};

function messagesReply({ reply, usage }: Plan): ServerReply {
  if (reply.kind === "error") return httpError(reply.status, reply.message, headersOf(reply.retryAfter));
  if (reply.kind !== "answer" || usage === undefined) return html(200, "Sign in");
  const { parts, stop, chunk } = reply;
  return { parts, usage, chunk, stop: stop === undefined ? undefined : messagesStops[stop] };
}

function chatReply({ reply, usage }: Plan): ChatReply {
  if (reply.kind === "error") return chatError(reply.status, reply.message, {}, headersOf(reply.retryAfter));
  if (reply.kind !== "answer" || usage === undefined) return html(200, "Sign in");
  const { parts, stop, chunk } = reply;
  const tokens = {
    prompt: usage.input + usage.cacheRead + usage.cacheWrite,
    cached: usage.cacheRead,
    completion: usage.output,
  };
  return { parts, usage: tokens, chunk, finish: stop === undefined ? undefined : chatStops[stop] };
}

function headersOf(retryAfter: string | undefined): Record<string, string> {
  return retryAfter === undefined ? {} : { "retry-after": retryAfter };
}
