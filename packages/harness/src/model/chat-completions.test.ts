import { describe, expect, it } from "vitest";
import type { Failure } from "../error.ts";
import type { AssistantMessage, Message, ToolResultBlock, UserMessage } from "../message.ts";
import { startChatServer, type ChatServer, type ChatServerOptions } from "../testing/chat-server/chat-server.ts";
import { call, say, think } from "./scripted.ts";
import { httpError, rawCall, rawChunk, reply } from "../testing/chat-server/script.ts";
import { chatCompletions, type ChatCompletionsOptions } from "./chat-completions.ts";
import { failureIn, type Model, type ModelRequest, type Reply } from "./model.ts";

const never = new AbortController().signal;
const user = (...content: UserMessage["content"]): UserMessage => ({ role: "user", content });
const text = (words: string) => ({ type: "text" as const, text: words });
const image = { type: "image" as const, mediaType: "image/png", base64: "AAAA" };
const result = (toolUseId: string, words: string, isError = false): ToolResultBlock => ({
  type: "tool_result",
  toolUseId,
  content: [text(words)],
  isError,
});
const read = { name: "read", description: "Reads.", schema: { properties: { path: { type: "string" } } } };
const ask = (...messages: Message[]): ModelRequest => ({
  system: [text("Be exact."), text("Be short.")],
  tools: [read],
  messages,
  maxTokens: 1000,
});

type Play = { model: Model; server: ChatServer; send: (request: ModelRequest) => Promise<Reply> };

async function play(
  options: ChatServerOptions & { model?: Partial<ChatCompletionsOptions> },
  scene: (play: Play) => Promise<void>,
): Promise<void> {
  const server = await startChatServer(options);
  const settings = { provider: "mock", model: "test", baseUrl: server.url, apiKey: "test-key" };
  const model = chatCompletions({ ...settings, ...options.model });
  try {
    await scene({ model, server, send: (request) => model.respond(request, () => undefined, never) });
  } finally {
    await server.close();
  }
}

const assistant = (...content: AssistantMessage["content"]): AssistantMessage => ({
  role: "assistant",
  content,
  origin: { provider: "mock", model: "test" },
});
const failureOf = ({ stop }: Reply): Failure | undefined => failureIn(stop);

describe("a conversation", () => {
  it("is sent by the book, replies as they came", async () => {
    const script = [
      [think("Hm."), say("I look."), call("read", { path: "a" }, "x"), call("read", { path: "b" }, "y")],
      say("Done."),
    ];
    await play({ script, model: { headers: { "x-title": "croft" } } }, async ({ server, send }) => {
      const first = await send(ask(user(text("one"), text("two"))));
      const second = await send(
        ask(
          user(text("one"), text("two")),
          first.message,
          user(result("x", "A"), result("y", "no such file", true), text("Now?")),
        ),
      );
      expect(server.rejections).toEqual([]);
      expect(second.message.content).toEqual([text("Done.")]);
      expect(server.requests[1]?.headers).toMatchObject({ authorization: "Bearer test-key", "x-title": "croft" });
      const toolCall = (id: string, path: string): object => ({
        id,
        type: "function",
        function: { name: "read", arguments: JSON.stringify({ path }) },
      });
      expect(server.requests[1]?.body).toEqual({
        model: "test",
        messages: [
          { role: "system", content: "Be exact.\n\nBe short." },
          { role: "user", content: "one\n\ntwo" },
          { role: "assistant", content: "I look.", tool_calls: [toolCall("x", "a"), toolCall("y", "b")] },
          { role: "tool", tool_call_id: "x", content: "A" },
          { role: "tool", tool_call_id: "y", content: "Error: no such file" },
          { role: "user", content: "Now?" },
        ],
        tools: [
          {
            type: "function",
            function: { name: "read", description: "Reads.", parameters: { type: "object", ...read.schema } },
          },
        ],
        max_tokens: 1000,
        stream: true,
        stream_options: { include_usage: true },
      });
    });
  });

  it("reads most of its input from the cache from the second step on", async () => {
    await play({ script: [call("read", {}, "x"), call("read", {}, "y"), say("Done.")] }, async ({ send }) => {
      const messages: Message[] = [user(text("Look around. ".repeat(50)))];
      const usages = [];
      for (const id of ["x", "y", "z"]) {
        const { message, usage } = await send(ask(...messages));
        usages.push(usage);
        messages.push(message, user(result(id, "nothing here")));
      }
      expect(usages[0]?.cacheRead).toBe(0);
      for (const { input, cacheRead } of usages.slice(1)) expect(cacheRead).toBeGreaterThan(2 * input);
    });
  });

  it("gives calls ids that the conversation has not seen, the same ones each time", async () => {
    const script = [1, 2, 3].map(() => reply([call("read", { path: "a" }), call("read", { path: "b" })]));
    await play({ script, quirks: { ids: "same" } }, async ({ server, send }) => {
      const idsOf = ({ message }: Reply): string[] =>
        message.content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
      const first = await send(ask(user(text("go"))));
      expect(idsOf(first)).toEqual(["call_0", "call_0_1"]);
      const then = ask(user(text("go")), first.message, user(result("call_0", "A"), result("call_0_1", "B")));
      expect(idsOf(await send(then))).toEqual(["call_0_2", "call_0_3"]);
      expect(idsOf(await send(then))).toEqual(["call_0_2", "call_0_3"]);
      expect(server.rejections).toEqual([]);
    });
  });

  it("shows an input that was no JSON as the text it was", async () => {
    await play({ script: [rawCall("read", '{"path":'), say("Sorry.")] }, async ({ server, send }) => {
      const first = await send(ask(user(text("go"))));
      await send(ask(user(text("go")), first.message, user(result("call_1_1", "not JSON", true))));
      expect(server.rejections).toEqual([]);
      expect(server.requests[1]?.body.messages[2]).toEqual({
        role: "assistant",
        content: null,
        tool_calls: [
          {
            id: "call_1_1",
            type: "function",
            function: { name: "read", arguments: '{"INVALID_JSON":"{\\"path\\":"}' },
          },
        ],
      });
    });
  });

  it("takes turns, even where a reply of another model holds nothing for this one", async () => {
    const opaque = { type: "opaque" as const, raw: { type: "thinking", thinking: "…" } };
    await play({ script: [say("Yes.")] }, async ({ server, send }) => {
      await send(ask(user(text("go")), assistant(opaque), user(text(" "), text("go on"))));
      expect(server.rejections).toEqual([]);
      expect(server.requests[0]?.body.messages.slice(1)).toEqual([{ role: "user", content: "go\n\ngo on" }]);
    });
  });

  it("takes turns, even where nothing stands between two replies", async () => {
    await play({ script: [say("Yes.")] }, async ({ server, send }) => {
      const call = { type: "tool_use" as const, id: "x", name: "read", input: {} };
      await send(
        ask(user(text("go")), assistant(text("One.")), assistant(text("Two."), call), user(result("x", "ok"))),
      );
      expect(server.rejections).toEqual([]);
      expect(server.requests[0]?.body.messages.slice(2)).toEqual([
        { role: "assistant", content: "One.\n\nTwo.", tool_calls: [expect.objectContaining({ id: "x" })] },
        { role: "tool", tool_call_id: "x", content: "ok" },
      ]);
    });
  });
});

describe("capabilities", () => {
  const withImages = ask(
    user(text("see"), image),
    assistant({ type: "tool_use", id: "x", name: "read", input: {} }),
    user({ ...result("x", "a picture"), content: [text("a picture"), image] }),
  );

  it("images go as data URLs where the model takes them", async () => {
    const options = { script: [say("Nice.")], surface: { images: true }, model: { capabilities: { images: true } } };
    await play(options, async ({ server, send }) => {
      await send(withImages);
      const url = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
      expect(server.rejections).toEqual([]);
      expect(server.requests[0]?.body.messages.slice(1)).toEqual([
        { role: "user", content: [text("see"), url] },
        expect.objectContaining({ role: "assistant" }),
        { role: "tool", tool_call_id: "x", content: "a picture\n(an image: see the next message)" },
        { role: "user", content: [url] },
      ]);
    });
  });

  it("images are left out, and said to be, where it does not", async () => {
    await play({ script: [say("Hm.")] }, async ({ server, send }) => {
      await send(withImages);
      expect(server.rejections).toEqual([]);
      expect(server.requests[0]?.body.messages.slice(1)).toEqual([
        { role: "user", content: "see\n\n(an image, which this model is not shown)" },
        expect.objectContaining({ role: "assistant" }),
        { role: "tool", tool_call_id: "x", content: "a picture\n(an image, which this model is not shown)" },
      ]);
    });
  });

  it("reasoning goes back to a server that wants it, with every message and to its origin alone", async () => {
    const options = {
      script: [[think("Hm."), say("Well.")], say("Yes.")],
      surface: { reasoning: true },
      model: { capabilities: { reasoning: true } },
    };
    await play(options, async ({ server, send }) => {
      const first = await send(ask(user(text("go"))));
      const foreign = { ...first.message, origin: { provider: "other", model: "test" } };
      await send(ask(user(text("go")), first.message, user(text("and?")), foreign, user(text("so?"))));
      expect(server.rejections).toEqual([]);
      const { messages } = server.requests[1]?.body ?? { messages: [] };
      expect(messages.filter(({ role }) => role === "assistant")).toEqual([
        { role: "assistant", content: "Well.", reasoning_content: "Hm." },
        { role: "assistant", content: "Well.", reasoning_content: "" },
      ]);
    });
  });

  it("what came along with a call goes back with it, to its origin alone", async () => {
    const signed = (id: string, thought_signature: string) => ({
      id,
      extra_content: { google: { thought_signature } },
    });
    const piece = (fields: object) => rawChunk({ choices: [{ delta: { tool_calls: [fields] } }] });
    const named = { type: "function", function: { name: "read", arguments: "{}" } };
    const late = signed("y", "S2");
    const script = [
      reply([think("Hm."), piece({ ...signed("x", "S1"), ...named }), piece({ id: "y", ...named }), piece(late)]),
      say("Yes."),
      say("No."),
    ];
    await play({ script, surface: { signatures: true } }, async ({ server, send }) => {
      const { message } = await send(ask(user(text("go"))));
      const results = user(result("x", "1"), result("y", "2"));
      await send(ask(user(text("go")), message, results));
      expect(server.rejections).toEqual([]);
      expect(server.requests[1]?.body.messages[2]).toEqual({
        role: "assistant",
        content: null,
        tool_calls: [
          { ...signed("x", "S1"), ...named },
          { ...late, ...named },
        ],
      });
      const foreign = { ...message, origin: { provider: "other", model: "test" } };
      await send(ask(user(text("go")), foreign, results));
      expect(server.rejections).toEqual([expect.stringContaining("extra_content")]);
    });
  });

  it("the limit of the output goes by the name the server knows, and not above the model's", async () => {
    const capabilities = { limit: "max_completion_tokens", usage: false } as const;
    const options = { script: [say("Yes.")], surface: capabilities, model: { capabilities, output: 50 } };
    await play({ ...options, surface: { limit: capabilities.limit } }, async ({ server, send }) => {
      await send({ ...ask(user(text("go"))), system: [], tools: [] });
      expect(server.requests[0]?.body).toEqual({
        model: "test",
        messages: [{ role: "user", content: "go" }],
        max_completion_tokens: 50,
        stream: true,
      });
    });
  });
});

describe("a failure tells the next step", () => {
  const script = [say("Yes.")];
  const go = ask(user(text("go")));

  it.each([
    ["ollama", "Run `ollama pull nope`, or choose one that `ollama list` shows."],
    ["lmstudio", "Run `lms get nope`, or choose one that `lms ls` shows."],
    ["mock", "Check the name of the model and the base URL."],
  ])("for a model that %s does not have", async (provider, remedy) => {
    await play({ script, model: { provider, model: "nope" } }, async ({ send }) => {
      const failed = failureOf(await send(go));
      expect([failed?.code, failed?.remedy]).toEqual(["E_MODEL_NOT_FOUND", remedy]);
    });
  });

  it("for a base URL that leads elsewhere", async () => {
    await play({ script }, async ({ server }) => {
      const baseUrl = server.url.replace("/v1", "");
      const model = chatCompletions({ provider: "ollama", model: "test", baseUrl, apiKey: "test-key" });
      const failed = failureOf(await model.respond(go, () => undefined, never));
      expect(failed?.narration).toBe(
        "The service does not know the model or the address (HTTP 404): 404 page not found. " +
          "Check the base URL: `/chat/completions` is added to it, and most servers want it to end in `/v1`.",
      );
    });
  });

  it.each([
    ["The `reasoning_content` in the thinking mode must be passed back to the API.", '"reasoning": true'],
    ["Unsupported parameter: 'max_tokens' is not supported with this model.", '"limit": "max_completion_tokens"'],
    ["body.max_completion_tokens: Extra inputs are not permitted", '"limit": "max_tokens"'],
    ["stream_options: Extra inputs are not permitted", '"usage": false'],
    ["messages.1.content.1: unknown variant `image_url`", '"images": false'],
  ])("for a server that refuses %j", async (message, setting) => {
    await play({ script: [httpError(400, message)] }, async ({ send }) => {
      expect(failureOf(await send(go))).toMatchObject({
        code: "E_BAD_REQUEST",
        remedy: `Give the model \`"capabilities": { ${setting} }\` in \`models\` of the configuration.`,
      });
    });
  });

  it("in the words of the provider behind a gateway, and by them", async () => {
    const raw = '{"message":"Range of input length should be [1, 98304]"}';
    const refusal = httpError(400, "Provider returned error", { code: 400, metadata: { raw, provider_name: "x" } });
    await play({ script: [refusal] }, async ({ send }) => {
      const failed = failureOf(await send(go));
      expect([failed?.code, failed?.message]).toEqual([
        "E_CONTEXT_FULL",
        expect.stringMatching(/Provider returned error: .*Range of input length should be \[1, 98304\]/),
      ]);
    });
  });

  it("for a server that does not run", async () => {
    const server = await startChatServer({ script });
    await server.close();
    const remedies: unknown[] = [];
    for (const provider of ["ollama", "mock"]) {
      const model = chatCompletions({ provider, model: "test", baseUrl: server.url });
      const failed = failureOf(await model.respond(go, () => undefined, never));
      remedies.push([failed?.code, failed?.retryAfterMs, failed?.remedy]);
      expect(failed?.message).toBe(`No connection to ${server.url}: ECONNREFUSED.`);
    }
    expect(remedies).toEqual([
      ["E_UNREACHABLE", undefined, "Start Ollama: open its app or run `ollama serve`."],
      ["E_UNREACHABLE", undefined, "Check the network and the base URL, and that the server is running."],
    ]);
  });

  it("for a server known by its port", async () => {
    const fetch = async (): Promise<never> => {
      throw new TypeError("fetch failed", { cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }) });
    };
    const model = chatCompletions({ provider: "mine", model: "test", baseUrl: "http://127.0.0.1:1234/v1", fetch });
    const failed = failureOf(await model.respond(go, () => undefined, never));
    expect(failed?.remedy).toBe("Start the server of LM Studio: switch it on in the app or run `lms server start`.");
  });

  it("without the key, though the server repeats it", async () => {
    await play({ script, model: { apiKey: "sk-secret" } }, async ({ send }) => {
      const failed = failureOf(await send(go));
      expect(failed?.code).toBe("E_AUTH");
      expect(failed?.narration).toContain("Incorrect API key provided: [key]");
      expect(JSON.stringify(failed)).not.toContain("sk-secret");
    });
  });

  it("in whole words, where the key is none to speak of", async () => {
    const model = chatCompletions({ provider: "mock", model: "test", baseUrl: "http://127.0.0.1:9/v1", apiKey: "a" });
    const failed = failureOf(await model.respond(go, () => undefined, never));
    expect(failed?.message).toBe("No connection to http://127.0.0.1:9/v1: bad port.");
  });

  it.each([
    ["a key with a line break", { apiKey: "sk-secret\n" }, "E_AUTH"],
    ["a header with a line break", { headers: { "x-key": "sk-secret\r\nx: y" } }, "E_AUTH"],
    ["a base URL that is none", { baseUrl: "localhost" }, "E_UNREACHABLE"],
    ["a port that fetch refuses", { baseUrl: "http://127.0.0.1:9/v1" }, "E_UNREACHABLE"],
  ])("for %s", async (_, options, code) => {
    await play({ script, model: options }, async ({ send, server }) => {
      const failed = failureOf(await send(go));
      expect(failed?.code).toBe(code);
      expect(failed?.narration).not.toContain("sk-secret");
      expect(server.requests).toEqual([]);
    });
  });
});
