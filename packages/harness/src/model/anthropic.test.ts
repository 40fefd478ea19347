import { expect, test } from "vitest";
import type { Failure } from "../error.ts";
import { toolUsesOf, type AssistantMessage, type Message, type UserMessage } from "../message.ts";
import {
  call,
  errorEvent,
  html,
  httpError,
  rawBlock,
  rawCall,
  rawEvent,
  reply,
  say,
  think,
  type ServerReply,
} from "../testing/messages-server/script.ts";
import {
  startMessagesServer,
  type MessagesServer,
  type MessagesServerOptions,
} from "../testing/messages-server/messages-server.ts";
import { sign } from "../testing/messages-server/memory.ts";
import { anthropic, type AnthropicOptions } from "./anthropic.ts";
import { failureIn, type Delta, type Model, type ModelRequest, type Reply } from "./model.ts";

const search = { name: "search", description: "Finds lines.", schema: { type: "object", properties: {} } };
const origin = { provider: "anthropic", model: "claude-opus-5-5" };

function user(text: string): UserMessage {
  return { role: "user", content: [{ type: "text", text }] };
}

function asked(...messages: Message[]): ModelRequest {
  return { system: [{ type: "text", text: "Answer." }], tools: [search], messages, maxTokens: 1000 };
}

/** The answers to all calls of a message. */
function answers(message: AssistantMessage, text: string): UserMessage {
  const content = toolUsesOf(message).map(({ id }) => ({
    type: "tool_result" as const,
    toolUseId: id,
    content: [{ type: "text" as const, text }],
    isError: false,
  }));
  return { role: "user", content };
}

async function served<T>(
  options: MessagesServerOptions,
  settings: Partial<AnthropicOptions>,
  use: (model: Model, server: MessagesServer) => Promise<T>,
): Promise<T> {
  const server = await startMessagesServer({ models: ["claude-opus-5-5", "local"], ...options });
  try {
    const key = options.apiKey === null ? undefined : "test-key";
    const model = anthropic({
      model: options.surface === "compatible" ? "local" : "claude-opus-5-5",
      apiKey: key,
      baseUrl: server.url,
      idleMs: 5000,
      ...settings,
    });
    return await use(model, server);
  } finally {
    await server.close();
  }
}

const never = new AbortController().signal;

async function heard(model: Model, request: ModelRequest, signal = never): Promise<{ reply: Reply; deltas: Delta[] }> {
  const deltas: Delta[] = [];
  const reply = await model.respond(request, (delta) => deltas.push(delta), signal);
  return { reply, deltas };
}

/** One request against one scripted answer. */
async function once(
  script: ServerReply,
  settings: Partial<AnthropicOptions> = {},
): Promise<{ reply: Reply; deltas: Delta[] }> {
  return served({ script: [script] }, settings, (model) => heard(model, asked(user("Hello"))));
}

function failureOf({ stop }: Reply): Failure {
  const failed = failureIn(stop);
  if (failed !== undefined) return failed;
  throw new Error(`expected a failed stop, got ${JSON.stringify(stop)}`);
}

test("thinking, text and a call stream as they arrive and end as one reply", async () => {
  const script = reply([think("Looking for it."), say("I will search."), call("search", { pattern: "foo" })], {
    usage: { input: 7, cacheRead: 100, cacheWrite: 20, output: 33 },
  });
  const { reply: whole, deltas } = await once(script);
  expect(deltas).toEqual([
    { type: "progress", text: "Looking for " },
    { type: "progress", text: "it." },
    { type: "text", text: "I will searc" },
    { type: "text", text: "h." },
    { type: "tool_input", id: "toolu_1_3", name: "search", chars: 0 },
    { type: "tool_input", id: "toolu_1_3", name: "search", chars: 12 },
    { type: "tool_input", id: "toolu_1_3", name: "search", chars: 17 },
  ]);
  expect(whole).toEqual({
    message: {
      role: "assistant",
      content: [
        { type: "opaque", raw: { type: "thinking", thinking: "Looking for it.", signature: sign("Looking for it.") } },
        { type: "text", text: "I will search." },
        { type: "tool_use", id: "toolu_1_3", name: "search", input: { pattern: "foo" } },
      ],
      origin,
    },
    usage: { input: 7, cacheRead: 100, cacheWrite: 20, output: 33 },
    stop: "tool_use",
    badInputs: new Map(),
  });
});

test("the API is asked for adaptive thinking, caching and context editing, and nothing else", async () => {
  await served({ script: [say("Hi.")] }, {}, async (model, { requests }) => {
    await heard(model, asked(user("Hello")));
    const [request] = requests;
    expect(request?.headers["anthropic-beta"]).toBe(
      "context-management-2025-06-27,thinking-display-updates-2026-08-18",
    );
    expect(request?.headers.authorization).toBe("Bearer test-key");
    expect(request?.body).toEqual({
      model: "claude-opus-5-5",
      max_tokens: 1000,
      stream: true,
      system: [{ type: "text", text: "Answer.", cache_control: { type: "ephemeral" } }],
      tools: [
        {
          name: "search",
          description: "Finds lines.",
          input_schema: { type: "object", properties: {} },
          eager_input_streaming: true,
        },
      ],
      messages: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
      cache_control: { type: "ephemeral" },
      thinking: { type: "adaptive", display: "updates" },
      output_config: { effort: "high" },
      context_management: {
        edits: [
          {
            type: "clear_tool_uses_20250919",
            trigger: { type: "input_tokens", value: 150_000 },
            keep: { type: "tool_uses", value: 10 },
            clear_at_least: { type: "input_tokens", value: 40_000 },
          },
        ],
      },
    });
  });
});

test("fallbacks are asked for only where they are enabled", async () => {
  await served({ script: [say("Hi.")] }, { fallbacks: true }, async (model, { requests }) => {
    await heard(model, asked(user("Hello")));
    expect(requests[0]?.headers["anthropic-beta"]).toContain("server-side-fallback-2026-07-01");
    expect(requests[0]?.body.fallbacks).toBe("default");
  });
});

test("a compatible server without a key gets the plain API alone", async () => {
  const options = { script: [say("Hi.")], surface: "compatible", apiKey: null } as const;
  await served(options, {}, async (model, { requests }) => {
    const { reply } = await heard(model, asked(user("Hello")));
    expect(reply.stop).toBe("end_turn");
    expect(requests[0]?.headers["authorization"]).toBeUndefined();
    expect(requests[0]?.headers["anthropic-beta"]).toBeUndefined();
    expect(Object.keys(requests[0]?.body ?? {}).sort()).toEqual([
      "max_tokens",
      "messages",
      "model",
      "stream",
      "system",
      "tools",
    ]);
  });
});

test("a compatible server finds the key in either header", async () => {
  await served({ script: [say("Hi.")], surface: "compatible" }, {}, async (model, { requests }) => {
    await heard(model, asked(user("Hello")));
    expect(requests[0]?.headers).toMatchObject({ authorization: "Bearer test-key", "x-api-key": "test-key" });
  });
});

test("a key in the environment is never sent to anyone", async () => {
  const before = process.env["ANTHROPIC_API_KEY"];
  process.env["ANTHROPIC_API_KEY"] = "sk-environment";
  try {
    await served({ script: [say("Hi.")], apiKey: null }, {}, async (model, { requests }) => {
      await heard(model, asked(user("Hello")));
      expect(JSON.stringify(requests[0]?.headers)).not.toContain("sk-environment");
    });
  } finally {
    if (before === undefined) delete process.env["ANTHROPIC_API_KEY"];
    else process.env["ANTHROPIC_API_KEY"] = before;
  }
});

test("over three steps content goes back verbatim and most input is read from the cache", async () => {
  const long = "A long result. ".repeat(300);
  const script = [
    [think("First."), say("Looking."), call("search", { pattern: "a", nested: { list: [1, "ü", null] } })],
    [think("Second."), call("search", { pattern: "b" }), call("search", { pattern: "c" })],
    say("Done."),
  ];
  await served({ script }, {}, async (model, server) => {
    const messages: Message[] = [user(`Where is it? ${long}`)];
    for (const text of [long, long, ""]) {
      const { reply } = await heard(model, asked(...messages));
      messages.push(reply.message);
      if (text !== "") messages.push(answers(reply.message, text));
    }
    expect(server.rejections).toEqual([]);
    expect(messages.at(-1)).toEqual({ role: "assistant", content: [{ type: "text", text: "Done." }], origin });
    const [first, second, third] = server.requests.map(({ usage }) => usage);
    expect(first?.cacheRead).toBe(0);
    expect(second?.cacheRead).toBe(first?.cacheWrite);
    expect(third?.cacheRead).toBe((second?.cacheRead ?? 0) + (second?.cacheWrite ?? 0));
    for (const usage of [second, third]) {
      expect(usage?.cacheRead).toBeGreaterThan((usage?.cacheWrite ?? 0) / 2);
      expect(usage?.input).toBe(0);
    }
  });
});

test.each([
  ["cut in a string", '{"command":"rm -rf /tmp/x', /position 25/],
  ["a trailing comma", '{"a":1,}', /position 7/],
  ["cut in an escape", String.raw`{"a":"\u12`, /position 10/],
  ["cut after a brace", "{", /position 1/],
  ["an array", "[]", /an array/],
  ["a string", '"str"', /a string/],
  ["two objects", '{"a":1}{"b":2}', /position 7/],
])("an input that is %s is never repaired, and can be sent back", async (_, json, reason) => {
  await served({ script: [rawCall("search", json), say("Sorry.")] }, {}, async (model, { rejections }) => {
    const first = await heard(model, asked(user("Go")));
    expect(first.reply.stop).toBe("tool_use");
    expect(first.reply.message.content).toEqual([{ type: "tool_use", id: "toolu_1_1", name: "search", input: json }]);
    expect([...first.reply.badInputs.keys()]).toEqual(["toolu_1_1"]);
    expect(first.reply.badInputs.get("toolu_1_1")).toMatch(reason);
    const { message } = first.reply;
    const second = await heard(model, asked(user("Go"), message, answers(message, "Not JSON.")));
    expect(rejections).toEqual([]);
    expect(second.reply.stop).toBe("end_turn");
  });
});

test("an empty input counts as an empty object", async () => {
  const { reply } = await once(rawCall("search", ""));
  expect(toolUsesOf(reply.message)).toEqual([{ type: "tool_use", id: "toolu_1_1", name: "search", input: {} }]);
  expect(reply.badInputs.size).toBe(0);
});

test("the output limit inside a tool input stops with max_tokens and a bad input", async () => {
  const script = reply(rawCall("search", '{"path":"a.py","content":"def f('), { stop: "max_tokens" });
  const { reply: stopped } = await once(script);
  expect(stopped.stop).toBe("max_tokens");
  expect(stopped.badInputs.get("toolu_1_1")).toBe(
    "The input is not valid JSON: Unterminated string in JSON at position 32 (line 1 column 33).",
  );
});

test("blocks and events of unknown kinds survive, and go back to their origin alone", async () => {
  const compaction = rawBlock(
    { type: "compaction" },
    { type: "compaction_delta", content: "Sum", encrypted_content: "x" } as { type: string },
    { type: "compaction_delta", content: "mary.", encrypted_content: "y" } as { type: string },
  );
  const parts = [
    compaction,
    rawEvent({ type: "telescope" }),
    rawBlock({ type: "redacted_thinking", data: "abc" } as { type: string }),
    say("Hi."),
  ];
  await served({ script: [parts, say("Again.")] }, {}, async (model, { requests }) => {
    const { reply } = await heard(model, asked(user("Go")));
    expect(reply.message.content).toEqual([
      { type: "opaque", raw: { type: "compaction", content: "Summary.", encrypted_content: "xy" } },
      { type: "opaque", raw: { type: "redacted_thinking", data: "abc" } },
      { type: "text", text: "Hi." },
    ]);
    const foreign = { ...reply.message, origin: { provider: "other", model: "m" } };
    await heard(model, asked(user("Go"), reply.message, user("More"), foreign, user("More")));
    const [, own, , other] = requests[1]?.body.messages ?? [];
    expect(own?.content.map(({ type }) => type)).toEqual(["compaction", "redacted_thinking", "text"]);
    expect(other?.content).toEqual([{ type: "text", text: "Hi." }]);
  });
});

test.each([
  ["end_turn", "end_turn"],
  ["stop_sequence", "end_turn"],
  ["max_tokens", "max_tokens"],
  ["refusal", "refusal"],
  ["pause_turn", "pause"],
  ["model_context_window_exceeded", "context_full"],
  ["tired", { unknown: "tired" }],
])("stop_reason %s", async (reason, stop) => {
  expect((await once(reply(say("Hi."), { stop: reason }))).reply.stop).toEqual(stop);
});

test("a paused turn is continued by sending what was said", async () => {
  const script = [reply(say("Wait"), { stop: "pause_turn" }), say("ed.")];
  await served({ script }, {}, async (model, { rejections }) => {
    const { reply } = await heard(model, asked(user("Go")));
    const { reply: rest } = await heard(model, asked(user("Go"), reply.message));
    expect(rejections).toEqual([]);
    expect(rest.stop).toBe("end_turn");
  });
});

function inOnePiece(body: object): ServerReply {
  return { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

test("a message in one piece is as good as a stream", async () => {
  const content = [
    { type: "text", text: "I look." },
    { type: "tool_use", id: "a", name: "search", input: { q: 1 } },
  ];
  const usage = { input_tokens: 7, output_tokens: 5 };
  const whole = { type: "message", role: "assistant", content, stop_reason: "tool_use", usage };
  const { reply, deltas } = await once(inOnePiece(whole));
  expect(reply).toEqual({
    message: { role: "assistant", content, origin },
    usage: { input: 7, cacheRead: 0, cacheWrite: 0, output: 5 },
    stop: "tool_use",
    badInputs: new Map(),
  });
  expect(deltas[0]).toEqual({ type: "text", text: "I look." });
});

test.each<[string, ServerReply, string, number | undefined]>([
  ["401", httpError(401), "E_AUTH", undefined],
  ["402", httpError(402), "E_CREDIT", undefined],
  ["403", httpError(403), "E_AUTH", undefined],
  ["404", httpError(404, "model: x"), "E_MODEL_NOT_FOUND", undefined],
  ["400", httpError(400, "tools: Tool names must be unique."), "E_BAD_REQUEST", undefined],
  [
    "400, prompt too long",
    httpError(400, "prompt is too long: 1000001 tokens > 1000000 maximum"),
    "E_CONTEXT_FULL",
    undefined,
  ],
  ["413", httpError(413), "E_CONTEXT_FULL", undefined],
  ["429 with seconds", httpError(429, "slow", { "retry-after": "7" }), "E_RATE_LIMIT", 7000],
  ["429 with milliseconds", httpError(429, "slow", { "retry-after-ms": "250" }), "E_RATE_LIMIT", 250],
  ["429 that will not pass", httpError(429, "quota", { "x-should-retry": "false" }), "E_RATE_LIMIT", undefined],
  ["500", httpError(500), "E_SERVER", 0],
  ["502 with a page", html(502, "Bad Gateway"), "E_SERVER", 0],
  ["529", httpError(529), "E_OVERLOADED", 0],
  ["200 with a page", html(200, "Please log in"), "E_BAD_ANSWER", undefined],
  ["200 with an error", { ...httpError(400, "no such thing"), status: 200 }, "E_BAD_REQUEST", undefined],
  ["200 with other JSON", inOnePiece({ choices: [] }), "E_BAD_ANSWER", 0],
  ["an overload in mid-stream", [say("Hel"), errorEvent("overloaded_error")], "E_OVERLOADED", 0],
  ["an error in mid-stream", [say("Hel"), errorEvent("api_error")], "E_SERVER", 0],
  ["a rejection in mid-stream", [say("Hel"), errorEvent("invalid_request_error")], "E_BAD_REQUEST", undefined],
  ["silence", reply(say("Hello"), { broken: { at: 400, how: "silence" } }), "E_STREAM_CUT", 0],
  ["no answer", reply(say("Hello"), { delayMs: 60_000 }), "E_STREAM_CUT", 0],
])("%s is a failure with a code and a next step", async (_, script, code, retryAfterMs) => {
  const { reply } = await once(script, { idleMs: 200 });
  const failure = failureOf(reply);
  expect([failure.code, failure.retryAfterMs]).toEqual([code, retryAfterMs]);
  expect(failure.remedy).toMatch(/\.$/);
  expect(failure.message).not.toMatch(/<\w+|undefined/);
  expect(toolUsesOf(reply.message)).toEqual([]);
});

test("a server that is not there is told apart from one that hung up", async () => {
  const gone = await startMessagesServer({ script: [] });
  await gone.close();
  for (const [baseUrl, retryAfterMs] of [
    [gone.url, undefined],
    ["http://croft.invalid", undefined],
    ["no url", undefined],
  ] as const) {
    const { reply } = await heard(anthropic({ model: "m", baseUrl }), asked(user("Hello")));
    const { code, retryAfterMs: after, message } = failureOf(reply);
    expect({ code, after }).toEqual({ code: "E_UNREACHABLE", after: retryAfterMs });
    expect(message).toContain(baseUrl);
  }
});

test.each([
  ["a wrong key that the service repeats", "sk-wrong-key", "E_AUTH"],
  ["a key with a line break", "sk-wrong\n-key", "E_AUTH"],
])("%s appears in no message", async (_, apiKey, code) => {
  const { reply } = await once(say("Hi."), { apiKey });
  const failure = failureOf(reply);
  expect(failure.code).toBe(code);
  for (const text of [failure.narration, failure.stack, JSON.stringify(failure), String(failure.cause)]) {
    expect(text).not.toContain(apiKey);
  }
});

test("without a key the API itself is not even asked", async () => {
  const fetch = (): never => expect.unreachable("nothing may be sent");
  const { reply } = await heard(anthropic({ model: "claude-opus-5-5", fetch }), asked(user("Hello")));
  expect(failureOf(reply).code).toBe("E_AUTH");
});

test("an abort keeps the text and the usage so far", async () => {
  const script = reply([say("Hello there, you."), call("search", {})], { paceMs: 5, usage: { input: 9 } });
  await served({ script: [script] }, {}, async (model) => {
    const control = new AbortController();
    const deltas: Delta[] = [];
    const stopped = await model.respond(
      asked(user("Hello")),
      (delta) => {
        deltas.push(delta);
        control.abort();
      },
      control.signal,
    );
    expect(deltas).toEqual([{ type: "text", text: "Hello there," }]);
    expect(stopped).toEqual({
      message: { role: "assistant", content: [{ type: "text", text: "Hello there," }], origin },
      usage: { input: 9, cacheRead: 0, cacheWrite: expect.any(Number), output: 1, estimated: true },
      stop: "aborted",
      badInputs: new Map(),
    });
  });
});

test("an abort before or during the wait for an answer sends or keeps nothing", async () => {
  await served({ script: [reply(say("Hi."), { delayMs: 60_000 })] }, {}, async (model, { requests }) => {
    const { reply: before } = await heard(model, asked(user("Hello")), AbortSignal.abort());
    expect(before.stop).toBe("aborted");
    expect(requests).toEqual([]);
    const { reply: during } = await heard(model, asked(user("Hello")), AbortSignal.timeout(100));
    expect(during.stop).toBe("aborted");
  });
});

test.each(["reset", "silence"] as const)(
  "a message that is over is whole, though the connection ends in %s",
  async (how) => {
    let bytes = 0;
    const counting: typeof fetch = async (...args) => {
      const response = await fetch(...args);
      bytes = (await response.clone().arrayBuffer()).byteLength;
      return response;
    };
    const usage = { input: 1, cacheRead: 2, cacheWrite: 3 };
    const script = (_: unknown, n: number): ServerReply =>
      n === 1 ? reply(say("Hi."), { usage }) : reply(say("Hi."), { usage, broken: { at: bytes, how } });
    await served({ script }, {}, async (model, { url }) => {
      const settings = { model: "claude-opus-5-5", apiKey: "test-key", baseUrl: url, fetch: counting };
      const { reply: first } = await heard(anthropic(settings), asked(user("Hello")));
      const { reply: second } = await heard(model, asked(user("Hello")));
      expect(second).toEqual(first);
      expect(second.stop).toBe("end_turn");
    });
  },
);

/** A body that ends when it likes, whatever becomes of the request. */
function streaming(body: ReadableStream<Uint8Array>): Partial<AnthropicOptions> {
  return { fetch: async () => new Response(body, { headers: { "content-type": "text/event-stream" } }) };
}

test("bytes that are not UTF-8 are a bad answer", async () => {
  const { reply } = await once(say(""), streaming(ReadableStream.from([Buffer.from([0x64, 0xff])])));
  expect(failureOf(reply).code).toBe("E_BAD_ANSWER");
});

test("an abort ends a stream that does not heed the signal", async () => {
  const settings = { ...streaming(new ReadableStream()), idleMs: 600_000 };
  await served({ script: [] }, settings, async (model) => {
    const { reply } = await heard(model, asked(user("Hello")), AbortSignal.timeout(50));
    expect(reply.stop).toBe("aborted");
  });
}, 10_000);
