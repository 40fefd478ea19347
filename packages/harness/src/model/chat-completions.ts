/** A model behind the Chat Completions API, or behind one of the many servers that speak it, each in its own way. */

import { type Message, originOf, toolUsesOf } from "../message.ts";
import { gather } from "./chat-completions/accumulate.ts";
import { failureOf } from "./chat-completions/failures.ts";
import { blocksNamed } from "./chat-completions/named.ts";
import { chunksOf, post } from "./chat-completions/post.ts";
import { toWire, type Capabilities } from "./chat-completions/wire.ts";
import type { Model, Respond } from "./model.ts";
import { placeNamedBy } from "./named-place.ts";
import { countdown } from "./sse.ts";

export type ChatCompletionsOptions = {
  /** Who serves the model, for its id: openai, openrouter, ollama… */
  provider: string;
  /** As the server names it. */
  model: string;
  /** Everything before `/chat/completions`. */
  baseUrl: string;
  /** May be absent where a server asks for none. */
  apiKey?: string | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /** Tokens of a request and its reply. Default: 128,000. */
  context?: number | undefined;
  /** Tokens of output at most; no request asks for more. Default: 16,384. */
  output?: number | undefined;
  /** Default: what api.openai.com takes there, the least common ground anywhere else. */
  capabilities?: Partial<Capabilities> | undefined;
  /**
   * Milliseconds without a byte after which an answer counts as cut. Default: 300,000, for local models read slowly.
   */
  idleMs?: number | undefined;
  fetch?: typeof globalThis.fetch | undefined;
};

/** How long the usage may come after the last word. */
const usageMs = 2_000;
/** How long the end of a finished answer is waited for, so that its connection can be used again. */
const afterglowMs = 100;

/** The adapter. It never retries, that is the work of `retry`. */
export function chatCompletions(options: ChatCompletionsOptions): Model {
  const { provider, model, baseUrl, apiKey, context = 128_000, output = 16_384, idleMs = 300_000 } = options;
  const id = `${provider}/${model}`;
  const origin = originOf(id);
  const service = { provider, model, baseUrl, apiKey };
  const settings = { model, origin, output, capabilities: { ...capabilitiesOf(baseUrl), ...options.capabilities } };

  const respond: Respond = async (request, sink, signal) => {
    const body = JSON.stringify(toWire(request, settings));
    const answer = gather(
      {
        origin,
        tools: new Set(request.tools.map(({ name }) => name)),
        ids: callIds(request.messages),
        bytes: Buffer.byteLength(body),
        apiKey,
      },
      sink,
    );
    let over = false;
    const afterglow = countdown(afterglowMs);
    const forUsage = countdown(usageMs);
    const limits = { idleMs: () => (over ? afterglow() : answer.finished ? forUsage() : idleMs), signal };
    try {
      const response = await post(body, service, options, limits);
      for await (const chunk of chunksOf(response, limits)) {
        if (chunk === "[DONE]") over = true;
        else if (!over) answer.add(chunk);
      }
      if (signal.aborted && !answer.finished && !over) return answer.partial("aborted");
      return answer.whole(over);
    } catch (thrown) {
      if (answer.finished || over) return answer.whole(true);
      if (signal.aborted) return answer.partial("aborted");
      const failed = failureOf(thrown, service);
      const place = placeNamedBy(failed);
      return answer.partial({ failed, named: place && blocksNamed(request, settings, place) });
    }
  };

  return { id, context, output, images: settings.capabilities.images, respond };
}

const leastCommonGround: Capabilities = { limit: "max_tokens", images: false, usage: true, reasoning: false };
const known: ReadonlyMap<string | undefined, Partial<Capabilities>> = new Map([
  ["https://api.openai.com", { limit: "max_completion_tokens", images: true }],
  ["https://api.deepseek.com", { reasoning: true }],
  ["https://generativelanguage.googleapis.com", { images: true }],
]);

function capabilitiesOf(baseUrl: string): Capabilities {
  return { ...leastCommonGround, ...known.get(URL.parse(baseUrl)?.origin) };
}

function callIds(messages: readonly Message[]): ReadonlySet<string> {
  return new Set(
    messages.flatMap((message) => (message.role === "assistant" ? toolUsesOf(message) : [])).map(({ id }) => id),
  );
}
