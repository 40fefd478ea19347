import { describe, expect, it } from "vitest";
import { Failure } from "../error.ts";
import { anthropic } from "../model/anthropic.ts";
import { dollarBudget } from "../model/budget.ts";
import { chatCompletions } from "../model/chat-completions.ts";
import type { Model, Wrapper } from "../model/model.ts";
import { recorded, type Exchange } from "../model/recorded.ts";
import { retry } from "../model/retry.ts";
import { cutAfter, fail, scripted, slow, type Part, type Turn } from "../model/scripted.ts";
import { startChatServer } from "./chat-server/chat-server.ts";
import * as chat from "./chat-server/script.ts";
import { startMessagesServer } from "./messages-server/messages-server.ts";
import * as messages from "./messages-server/script.ts";
import { modelConformance, type Act, type PlayModel } from "./model-conformance.ts";

const broken = { at: 3000, how: "reset" } as const;
const silent = { at: 400, how: "silence" } as const;
const raw = (part: Part): part is Part & { type: "tool_use"; input: string } =>
  part.type === "tool_use" && typeof part.input === "string";
const ends = { max_tokens: "length", refusal: "content_filter" } as const;

const playChat =
  (quirks: chat.ChatAnswer["quirks"] = {}): PlayModel =>
  async (acts) => {
    const replyTo = ({ parts, end, usage }: Act): chat.ChatReply => {
      if (end === "overloaded") return chat.httpError(503, "Too much to do");
      const { input = 1, cacheRead = 0, output = 1 } = usage ?? {};
      return chat.reply(
        parts.map((part) => (raw(part) ? chat.rawCall(part.name, part.input) : part)),
        {
          usage: { prompt: input + cacheRead, cached: cacheRead, completion: output },
          ...((end === "max_tokens" || end === "refusal") && { finish: ends[end] }),
          ...(end === "cut" && { broken }),
          ...(end === "silent" && { broken: silent }),
        },
      );
    };
    const server = await startChatServer({ script: acts.map(replyTo), quirks });
    const model = chatCompletions({ provider: "mock", model: "test", baseUrl: server.url, apiKey: "test-key" });
    return { model, close: closing(server) };
  };

const playMessages: PlayModel = async (acts) => {
  const replyTo = ({ parts, end, usage }: Act): messages.ServerReply => {
    if (end === "overloaded") return messages.httpError(529, "Overloaded");
    return messages.reply(
      parts.map((part) => (raw(part) ? messages.rawCall(part.name, part.input) : part)),
      {
        usage,
        ...((end === "max_tokens" || end === "refusal") && { stop: end }),
        ...(end === "cut" && { broken }),
        ...(end === "silent" && { broken: { ...silent, at: 700 } }),
      },
    );
  };
  const server = await startMessagesServer({ script: acts.map(replyTo) });
  const options = { model: "claude-opus-5-5", baseUrl: server.url, apiKey: "test-key" };
  return { model: anthropic(options), close: closing(server) };
};

const playScripted =
  (wrap: Wrapper): PlayModel =>
  async (acts) => {
    const turnOf = ({ parts, end, usage }: Act): Turn => {
      if (end === "overloaded") return fail(new Failure("E_OVERLOADED", "Too much to do.", { retryAfterMs: 0 }));
      if (end === "cut") return { ...cutAfter(""), parts };
      if (end === "silent") return slow(60_000, parts);
      return { parts, stop: end, usage };
    };
    return { model: wrap(scripted(acts.map(turnOf))), close: async () => undefined };
  };

/** A server has nothing to complain about, whatever the case. */
function closing(server: { close(): Promise<void>; rejections: readonly string[] }): () => Promise<void> {
  return async () => {
    await server.close();
    expect(server.rejections).toEqual([]);
  };
}

/** Keeps what was asked and answered, as the log of a session does. */
function recording(inner: Model, exchanges: Exchange[]): Model {
  return {
    ...inner,
    async respond(request, sink, signal) {
      const reply = await inner.respond(request, sink, signal);
      if (!signal.aborted) exchanges.push({ messages: request.messages, notices: [], reply });
      return reply;
    },
  };
}

/** What only streams, or hangs, is not kept; all else a recorded model says as it was said. */
const streamsOnly = new Set([
  "thinking is progress, no text, and may go back",
  "a call has an id, a name and its input, and can be answered",
  "an abort ends a silent reply, and the model can be asked again",
]);

describe("a recorded model", () => {
  it.each(modelConformance.filter(({ name }) => !streamsOnly.has(name)))("$name", async ({ run }) => {
    const exchanges: Exchange[] = [];
    let id = "";
    await run(async (acts) => {
      const { model, close } = await playScripted((inner) => recording(inner, exchanges))(acts);
      ({ id } = model);
      return { model, close };
    });
    await run(async () => ({ model: recorded(id, exchanges), close: async () => undefined }));
  });
});

const price = { input: 1, cacheRead: 1, cacheWrite: 1, output: 1 };

describe.each<[string, PlayModel]>([
  ["the Messages API", playMessages],
  ["the Chat Completions API", playChat()],
  [
    "a Chat Completions server that says as little as it can",
    playChat({ ids: "absent", index: "absent", type: false, role: false, nulls: true, finish: "absent" }),
  ],
  ["a script", playScripted((inner) => inner)],
  ["a script with retries", playScripted(retry({ attempts: 1 }))],
  ["a script under a ceiling", playScripted(dollarBudget(1000, { priceOf: () => price }))],
])("%s", (_, play) => {
  it.each(modelConformance)("$name", async ({ run }) => run(play));
});
