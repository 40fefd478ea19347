import { expect, test } from "vitest";
import { startMessagesServer, type MessagesServer, type MessagesServerOptions } from "./messages-server.ts";
import { call, html, httpError, rawCall, reply, say, think, type ServerReply } from "./script.ts";

type Json = Record<string, unknown>;
type Sent = { status: number; body: string };

const search = { name: "search", input_schema: { type: "object" } };
const text = (text: string): Json => ({ type: "text", text });
const user = (...content: Json[]): Json => ({ role: "user", content });
const assistant = (...content: Json[]): Json => ({ role: "assistant", content });
const use = (id: string, input: unknown = {}, name = "search"): Json => ({ type: "tool_use", id, name, input });
const result = (id: string): Json => ({ type: "tool_result", tool_use_id: id, content: [text("found")] });
const jpeg = Buffer.from("\xff\xd8\xff\xe0\0\0", "latin1").toString("base64");
const image = (media_type: string, data: string): Json => ({
  type: "image",
  source: { type: "base64", media_type, data },
});
const asked = (messages: Json[], more: Json = {}): Json => ({
  model: "claude-opus-5-5",
  max_tokens: 100,
  tools: [search],
  messages,
  ...more,
});

async function served<T>(
  options: Partial<MessagesServerOptions>,
  use: (send: (body: unknown, headers?: Record<string, string>) => Promise<Sent>, server: MessagesServer) => Promise<T>,
): Promise<T> {
  const server = await startMessagesServer({ script: () => say("Hi."), ...options });
  const send = async (body: unknown, headers: Record<string, string> = {}): Promise<Sent> => {
    const response = await fetch(`${server.url}/v1/messages`, {
      method: "POST",
      headers: { "anthropic-version": "2026-10-21", "x-api-key": "test-key", ...headers },
      body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
    });
    return { status: response.status, body: await response.text() };
  };
  try {
    return await use(send, server);
  } finally {
    await server.close();
  }
}

function contentOf({ body }: Sent): Json[] {
  const message: { content: Json[] } = JSON.parse(body);
  return message.content;
}

test("a proper request is answered, streamed or not, and recorded", async () => {
  await served({}, async (send, server) => {
    const plain = await send(asked([user(text("Hello"))]));
    expect([plain.status, contentOf(plain)]).toEqual([200, [text("Hi.")]]);
    const stream = await send(asked([user(text("Hello"))], { stream: true }));
    expect(stream.body.match(/^event: .*$/gm)).toEqual([
      "event: message_start",
      "event: ping",
      "event: content_block_start",
      "event: content_block_delta",
      "event: content_block_stop",
      "event: message_delta",
      "event: message_stop",
    ]);
    expect(server.requests.map(({ body }) => body.messages)).toEqual([[user(text("Hello"))], [user(text("Hello"))]]);
    expect(server.rejections).toEqual([]);
  });
});

const go = user(text("Go"));
const beta = (names: string): Record<string, string> => ({ "anthropic-beta": names });
test.each<[string, unknown, string]>([
  ["no messages", asked([]), "messages: at least one message is required"],
  ["an empty message", asked([user()]), "messages.0.content: messages must have non-empty content"],
  ["an empty text", asked([user(text(""))]), "messages.0.content.0.text: text content blocks must be non-empty"],
  ["a text of blanks", asked([user(text(" \n"))]), "messages.0.content.0.text: text content blocks must be non-empty"],
  [
    "an empty text in a result",
    asked([go, assistant(use("a")), user({ ...result("a"), content: [text("")] })]),
    "messages.2.content.0.content",
  ],
  ["a wrong role", asked([{ role: "system", content: "x" }]), "messages.0.role"],
  ["an assistant at the start", asked([assistant(text("Hi")), go]), "first message must use the user role"],
  ["an assistant at the end", asked([go, assistant(text("Hi"))]), "does not support assistant message prefill"],
  [
    "an image of another type",
    asked([user(image("image/png", jpeg))]),
    "does not match the provided media type image/png",
  ],
  [
    "an image of another type in a result",
    asked([go, assistant(use("a")), user({ ...result("a"), content: [image("image/jpeg", "")] })]),
    "does not match the provided media type image/jpeg",
  ],
  ["an image no model sees", asked([user(image("image/bmp", jpeg))]), "messages.0.content.0.source.media_type"],
  ["an image too large", asked([user(image("image/jpeg", jpeg.repeat(700_000)))]), "image exceeds 5 MB maximum"],
  ["no max_tokens", { ...asked([go]), max_tokens: undefined }, "max_tokens: Field required"],
  ["an unknown field", asked([go], { colour: "red" }), "colour: Extra inputs are not permitted"],
  [
    "an unanswered call",
    asked([go, assistant(use("a")), user(text("x"))]),
    "without `tool_result` blocks immediately after: a",
  ],
  ["a call at the end", asked([go, assistant(use("a"))]), "without `tool_result` blocks immediately after: a"],
  ["one of two unanswered", asked([go, assistant(use("a"), use("b")), user(result("a"))]), "immediately after: b"],
  [
    "a result too late",
    asked([go, assistant(use("a")), user(text("x")), assistant(text("y")), user(result("a"))]),
    "immediately after: a",
  ],
  [
    "two results for a call",
    asked([go, assistant(use("a")), user(result("a"), result("a"))]),
    "single result. Found several for: a",
  ],
  [
    "a result without a call",
    asked([go, assistant(text("x")), user(result("a"))]),
    "unexpected `tool_use_id` found in `tool_result` blocks: a",
  ],
  [
    "a result after text",
    asked([go, assistant(use("a"), use("b")), user(result("a"), text("x"), result("b"))]),
    "must come before any other content",
  ],
  ["one id for two calls", asked([go, assistant(use("a"), use("a")), user(result("a"))]), "ids must be unique: a"],
  [
    "one id in two messages",
    asked([go, assistant(use("a")), user(result("a")), assistant(use("a")), user(result("a"))]),
    "ids must be unique: a",
  ],
  ["an odd id", asked([go, assistant(use("a:0")), user(result("a:0"))]), "messages.1.content.0.id"],
  [
    "an input that is no object",
    asked([go, assistant(use("a", "x")), user(result("a"))]),
    "messages.1.content.0.input",
  ],
  ["a call of an unknown tool", asked([go, assistant(use("a", {}, "b")), user(result("a"))]), "tool_use of `b`"],
  ["two tools of one name", asked([go], { tools: [search, search] }), "Tool names must be unique"],
  [
    "a schema beside a tool of its own",
    asked([go], { tools: [{ type: "bash_20250124", name: "bash", input_schema: { type: "object" } }] }),
    "tools.0",
  ],
  ["a tool of its own by another name", asked([go], { tools: [{ type: "bash_20250124", name: "shell" }] }), "tools.0"],
  [
    "a tool of its own that it does not know",
    asked([go], { tools: [{ type: "bash_19990101", name: "bash" }] }),
    "tools.0",
  ],
  ["forced tool use", asked([go], { tool_choice: { type: "any" } }), "forced tool use"],
  ["thinking turned off", asked([go], { thinking: { type: "disabled" } }), "thinking cannot be turned off"],
  [
    "forged thinking",
    asked([go, assistant({ type: "thinking", thinking: "x", signature: "y" }), go]),
    "Invalid `signature`",
  ],
  ["a lone surrogate", asked([user(text("\ud83d"))]), "no low surrogate in string"],
  ["no JSON", "{", "not valid JSON"],
  ["no UTF-8", new Uint8Array([0x22, 0xff, 0x22]), "not valid JSON"],
  [
    "context editing without its header",
    asked([go], { context_management: { edits: [] } }),
    "context_management: Extra inputs",
  ],
  [
    "updates without their header",
    asked([go], { thinking: { type: "adaptive", display: "updates" } }),
    "thinking.display: Extra inputs",
  ],
  ["fallbacks without their header", asked([go], { fallbacks: "default" }), "fallbacks: Extra inputs"],
  [
    "two ways to shorten a context",
    asked([go], { compaction: {}, context_management: { edits: [] } }),
    "cannot be combined",
  ],
  [
    "five breakpoints",
    asked([user(...Array.from({ length: 5 }, () => ({ ...text("x"), cache_control: { type: "ephemeral" } })))]),
    "maximum of 4",
  ],
])("refuses %s", async (_, body, reason) => {
  await served({}, async (send, server) => {
    const { status, body: said } = await send(body);
    expect(status).toBe(400);
    expect(JSON.parse(said)).toEqual({
      type: "error",
      error: { type: "invalid_request_error", message: expect.stringContaining(reason) },
    });
    expect(server.requests).toEqual([]);
    expect(server.rejections).toHaveLength(1);
  });
});

test.each<[string, Record<string, string>, number, string]>([
  ["no version", { "anthropic-version": "" }, 400, "anthropic-version: header is required"],
  ["no key", { "x-api-key": "" }, 401, "API key is required"],
  ["a wrong key", { "x-api-key": "other" }, 401, "invalid key"],
  ["an unknown beta", beta("telepathy-2027-01-01"), 400, "Unexpected value(s) `telepathy-2027-01-01`"],
])("refuses %s in the headers", async (_, headers, status, reason) => {
  await served({}, async (send) => {
    const sent = await send(asked([go]), headers);
    expect([sent.status, sent.body]).toEqual([status, expect.stringContaining(reason)]);
  });
});

test("takes the tools that it has defined itself", async () => {
  const tools = [
    { type: "bash_20250124", name: "bash" },
    { type: "text_editor_20250728", name: "str_replace_based_edit_tool" },
  ];
  await served({}, async (send) => {
    expect((await send(asked([go], { tools }))).status).toBe(200);
  });
  await served({ surface: "compatible" }, async (send) => {
    expect((await send(asked([go], { tools }))).status).toBe(400);
  });
});

test("refuses a model it does not have", async () => {
  await served({}, async (send) => {
    expect((await send(asked([go], { model: "gpt" }))).status).toBe(404);
  });
});

test.each<[string, Json, Record<string, string>]>([
  ["caching", { cache_control: { type: "ephemeral" } }, {}],
  ["thinking", { thinking: { type: "adaptive" } }, {}],
  ["a beta", {}, beta("context-management-2025-06-27")],
])("a compatible server refuses %s", async (_, more, headers) => {
  await served({ surface: "compatible" }, async (send) => {
    expect((await send(asked([go], more), headers)).status).toBe(400);
    expect((await send(asked([go]))).status).toBe(200);
  });
});

const script: ServerReply[] = [[think("Hm."), say("I look."), call("search", { a: 1 })], say("Done.")];
test.each<[string, (content: Json[]) => Json[], Json, number]>([
  ["unchanged", (content) => content, {}, 200],
  ["without its thinking", ([, ...content]) => content, {}, 400],
  ["with another input", ([a = {}, b = {}]) => [a, b, use("toolu_1_3", { a: 2 })], {}, 400],
  ["with another text", ([a = {}, , c = {}]) => [a, text("I looked."), c], {}, 400],
  ["with a text added", (content) => [...content, text("More.")], {}, 400],
  ["under other tools", (content) => content, { tools: [search, { ...search, name: "more" }] }, 400],
  ["under another system prompt", (content) => content, { system: "Other." }, 400],
])("what it said may come back only as it was: %s", async (_, change, more, status) => {
  await served({ script }, async (send) => {
    const content = contentOf(await send(asked([go])));
    const again = await send(asked([go, assistant(...change(content)), user(result("toolu_1_3"))], more));
    expect(again.status, again.body).toBe(status);
  });
});

test("a plain text is known by the conversation it answered", async () => {
  await served({}, async (send) => {
    await send(asked([go]));
    expect((await send(asked([go, assistant(text("Hello.")), go]))).status).toBe(400);
    expect((await send(asked([go, assistant(text("Hi.")), go]))).status).toBe(200);
  });
});

test("tools may change where that is allowed", async () => {
  await served({ script, frozen: false }, async (send) => {
    const content = contentOf(await send(asked([go])));
    const again = await send(asked([go, assistant(...content), user(result("toolu_1_3"))], { system: "Other." }));
    expect(again.status).toBe(200);
  });
});

test("an input that was no JSON may come back as any object", async () => {
  await served({ script: [rawCall("search", '{"a":'), say("Done.")] }, async (send) => {
    await send(asked([go], { stream: true }));
    expect((await send(asked([go, assistant(use("toolu_1_1", { x: 1 })), user(result("toolu_1_1"))]))).status).toBe(
      200,
    );
  });
});

const mark = { cache_control: { type: "ephemeral" } };
test("counts what is read from and written to the cache up to the breakpoints", async () => {
  await served({ script: () => say("z".repeat(400)) }, async (send, server) => {
    const system = [{ ...text("x".repeat(4000)), ...mark }];
    const first = [user(text("y".repeat(400)))];
    await send(asked(first, { system }));
    await send(asked([user(text("other".repeat(100)))], { system }));
    await send(asked(first, { system, ...mark }));
    await send(asked([...first, assistant(text("z".repeat(400))), go], { system, ...mark }));
    const [a, b, c, d] = server.requests.map(({ usage }) => usage);
    expect(a).toMatchObject({ cacheRead: 0, cacheWrite: expect.closeTo(1030, -2) });
    expect(b).toMatchObject({ cacheRead: a?.cacheWrite, cacheWrite: 0 });
    expect(c).toMatchObject({ input: 0, cacheRead: a?.cacheWrite, cacheWrite: expect.closeTo(110, -2) });
    expect(d?.cacheRead).toBe((c?.cacheRead ?? 0) + (c?.cacheWrite ?? 0));
    expect(d?.input).toBe(0);
  });
});

test("an entry more than twenty blocks before the breakpoint is not found", async () => {
  await served({}, async (send, server) => {
    const many = (count: number): Json => user(...Array.from({ length: count }, (_, index) => text(`block ${index}`)));
    for (const count of [1, 21, 42]) await send(asked([many(count)], { tools: [], ...mark }));
    const reads = server.requests.map(({ usage }) => usage?.cacheRead ?? 0);
    expect(reads).toEqual([0, server.requests[0]?.usage?.cacheWrite, 0]);
  });
});

test("other answers: errors, pages, the end of the script", async () => {
  const replies = [httpError(529, "busy", { "retry-after": "3" }), html(200, "Log in")];
  await served({ script: replies }, async (send) => {
    const busy = await send(asked([go]));
    expect(busy).toEqual({
      status: 529,
      body: JSON.stringify({ type: "error", error: { type: "overloaded_error", message: "busy" } }),
    });
    expect((await send(asked([go]))).body).toContain("<title>Log in</title>");
    expect((await send(asked([go]))).body).toContain("The script has no reply for request 3.");
  });
});

test("breaks off at the byte it is told", async () => {
  const broken = (at: number): ServerReply => reply(say("Hello"), { broken: { at, how: "end" } });
  await served({ script: [say("Hello"), broken(17), broken(0)] }, async (send) => {
    const bodies: string[] = [];
    for (let n = 0; n < 3; n += 1) bodies.push((await send(asked([go], { stream: true }))).body);
    expect(bodies.slice(1)).toEqual([bodies[0]?.slice(0, 17), ""]);
  });
});
