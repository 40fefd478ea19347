import { expect, test } from "vitest";
import { startChatServer, type ChatServerOptions } from "./chat-server.ts";
import { call, say, think } from "../../model/scripted.ts";

const tools = [{ type: "function", function: { name: "read", parameters: { type: "object" } } }];
const go = { role: "user", content: "go" };
const calls = (...ids: string[]): object => ({
  role: "assistant",
  content: null,
  tool_calls: ids.map((id) => ({ id, type: "function", function: { name: "read", arguments: "{}" } })),
});
const answer = (id: string, content: unknown = "ok"): object => ({ role: "tool", tool_call_id: id, content });
const request = { model: "test", messages: [go] as unknown[], tools, max_tokens: 10 };

/** The status and the words of what the server says to a body. */
async function said(body: unknown, options: Partial<ChatServerOptions> = {}): Promise<string> {
  const server = await startChatServer({ script: [say("ok")], ...options });
  try {
    const response = await fetch(`${server.url}/chat/completions`, {
      method: "POST",
      headers: { authorization: "Bearer test-key" },
      body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const message = /"message":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? text;
    expect(server.requests).toHaveLength(response.ok ? 1 : 0);
    expect(server.rejections).toHaveLength(response.ok ? 0 : 1);
    return response.ok ? "accepted" : `${response.status} ${message}`;
  } finally {
    await server.close();
  }
}

const withMessages = (...messages: unknown[]): object => ({ ...request, messages });
const withCall = (fields: object): object =>
  withMessages(go, { role: "assistant", tool_calls: [{ id: "a", type: "function", ...fields }] }, answer("a"));

test.each<[string, unknown, string]>([
  ["an ordinary request", request, "accepted"],
  [
    "answered calls, and a word after them",
    withMessages(go, calls("a", "b"), answer("b"), answer("a"), go),
    "accepted",
  ],
  ["a body that is no JSON", "{", "400 The request body is not valid JSON"],
  ["bytes that are no UTF-8", new Uint8Array([0x22, 0xff, 0x22]), "400 The request body is not valid JSON"],
  ["a lone surrogate", { ...request, model: "\ud800" }, "400 The request body is not valid JSON: no low surrogate"],
  ["an unknown field", { ...request, cache_control: {} }, '400 : Unrecognized key: \\"cache_control\\"'],
  ["an unknown model", { ...request, model: "best" }, '404 model \\"best\\" not found'],
  ["no messages", withMessages(), "400 messages: Too small"],
  ["an unknown role", withMessages({ role: "developer", content: "go" }), "400 messages.0.role: Invalid"],
  ["an empty user message", withMessages({ role: "user", content: " " }), "400 messages.0.content: "],
  [
    "an empty assistant message",
    withMessages(go, { role: "assistant", content: null }, go),
    "400 messages.1: content or",
  ],
  [
    "an empty text of an assistant",
    withMessages(go, { role: "assistant", content: "" }, go),
    "400 messages.1.content: content must",
  ],
  ["an empty result", withMessages(go, calls("a"), answer("a", "")), "400 messages.2.content: content must"],
  ["a result that is no text", withMessages(go, calls("a"), answer("a", [])), "400 messages.2.content: Invalid input"],
  ["a result without a call", withMessages(go, answer("a")), "400 messages.1: messages with role 'tool' must answer"],
  [
    "a result too late",
    withMessages(go, calls("a"), answer("a"), go, answer("a")),
    "400 messages.4: messages with role 'tool'",
  ],
  [
    "a second result",
    withMessages(go, calls("a"), answer("a"), answer("a")),
    "400 messages.3: messages with role 'tool'",
  ],
  [
    "a call without a result",
    withMessages(go, calls("a", "b"), answer("a"), go),
    "400 messages.3: these tool_call_ids had no response messages: b",
  ],
  ["two calls of one id", withMessages(go, calls("a", "a"), answer("a")), "400 messages.1: the id a is used twice"],
  [
    "a call without an id",
    withMessages(go, calls(""), answer("")),
    "400 messages.1.tool_calls.0.id: a call needs an id",
  ],
  [
    "arguments that are no JSON",
    withCall({ function: { name: "read", arguments: "{" } }),
    "400 messages.1.tool_calls.0.function.arguments: ",
  ],
  [
    "arguments that are no object",
    withCall({ function: { name: "read", arguments: "[]" } }),
    "400 messages.1.tool_calls.0.function.arguments: ",
  ],
  [
    "a call of an unknown tool",
    withCall({ function: { name: "write", arguments: "{}" } }),
    "400 messages.1: the function write is not among the tools",
  ],
  [
    "a system message in between",
    withMessages(go, { role: "system", content: "be" }),
    "400 messages: the system message must be",
  ],
  ["two user messages in a row", withMessages(go, go), "400 messages.1: conversation roles must alternate"],
  [
    "an assistant's last word",
    withMessages(go, { role: "assistant", content: "yes" }),
    "400 messages: the last one must be",
  ],
  [
    "an image",
    withMessages({ role: "user", content: [{ type: "image_url", image_url: { url: "data:image/png;base64,AA==" } }] }),
    "400 messages.0.content: Invalid input",
  ],
  [
    "reasoning",
    withMessages(go, { role: "assistant", content: "yes", reasoning_content: "hm" }, go),
    "400 messages.1: Unrecognized key",
  ],
  [
    "the other name of the limit",
    { ...request, max_tokens: undefined, max_completion_tokens: 5 },
    "400 max_tokens: Invalid input",
  ],
  [
    "options of a stream that is none",
    { ...request, stream_options: { include_usage: true } },
    "400 stream_options: only allowed",
  ],
  ["two tools of one name", { ...request, tools: [...tools, ...tools] }, "400 tools: the name read is used twice"],
  ["no tools at all, in a list", { ...request, tools: [] }, "400 tools: Too small"],
])("%s: %j is %s", async (_, body, expected) => {
  expect((await said(body)).slice(0, expected.length)).toBe(expected);
});

test("a key is asked for, and another path is none", async () => {
  expect(await said(request, { apiKey: "other" })).toBe("401 Incorrect API key provided: test-key");
  expect(await said(request, { apiKey: null })).toBe("accepted");
  const server = await startChatServer({ script: [] });
  try {
    expect((await fetch(server.url)).status).toBe(404);
  } finally {
    await server.close();
  }
});

test("what servers take beyond the plain API is asked for by name", async () => {
  const url = "data:image/png;base64,AA==";
  const seen = withMessages({ role: "user", content: [{ type: "image_url", image_url: { url } }] });
  expect(await said(seen, { surface: { images: true } })).toBe("accepted");
  const bare = withMessages(go, { role: "assistant", content: "yes" }, go);
  expect(await said(bare, { surface: { reasoning: true } })).toContain("the reasoning_content must be passed back");
});

test("an answer keeps to the book, streamed and whole", async () => {
  const parts = [think("Hm."), say("Hi."), call("read", { a: 1 }, "x")];
  const server = await startChatServer({ script: [parts, parts] });
  const ask = async (body: object): Promise<string> => {
    const headers = { authorization: "Bearer test-key" };
    return (
      await fetch(`${server.url}/chat/completions`, { method: "POST", headers, body: JSON.stringify(body) })
    ).text();
  };
  try {
    const events = (await ask({ ...request, stream: true })).split("\n\n").filter((event) => event !== "");
    const chunks = events.slice(0, -1).map((event): unknown => JSON.parse(event.replace(/^data: /, "")));
    const choice = (delta: object, finish_reason: string | null = null): object[] => [
      { index: 0, delta, finish_reason },
    ];
    const piece = (fields: object): object => ({ tool_calls: [{ index: 0, ...fields }] });
    const chunk = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 0, model: "test" };
    const usage = {
      prompt_tokens: 29,
      completion_tokens: 42,
      total_tokens: 71,
      prompt_tokens_details: { cached_tokens: 0 },
    };
    expect(chunks).toEqual([
      { ...chunk, choices: choice({ role: "assistant", content: "" }) },
      { ...chunk, choices: choice({ reasoning_content: "Hm." }) },
      { ...chunk, choices: choice({ content: "Hi." }) },
      { ...chunk, choices: choice(piece({ id: "x", type: "function", function: { name: "read", arguments: "" } })) },
      { ...chunk, choices: choice(piece({ function: { arguments: '{"a":1}' } })) },
      { ...chunk, choices: choice({}, "tool_calls") },
      { ...chunk, choices: [], usage },
    ]);
    expect(events.at(-1)).toBe("data: [DONE]");

    expect(JSON.parse(await ask(request))).toMatchObject({
      object: "chat.completion",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: "Hi.",
            reasoning_content: "Hm.",
            tool_calls: [{ id: "x", type: "function", function: { name: "read", arguments: '{"a":1}' } }],
          },
          finish_reason: "tool_calls",
        },
      ],
      usage: { prompt_tokens_details: { cached_tokens: 28 } },
    });
    expect(server.requests.map(({ usage }) => usage?.cached)).toEqual([0, 28]);
  } finally {
    await server.close();
  }
});
