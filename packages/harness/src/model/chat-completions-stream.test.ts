import fc from "fast-check";
import { expect, test } from "vitest";
import { textOf, toolUsesOf } from "../message.ts";
import { startChatServer } from "../testing/chat-server/chat-server.ts";
import type { Quirks } from "../testing/chat-server/quirks.ts";
import { call, say, think } from "./scripted.ts";
import { httpError, errorChunk, reply, type ChatReply } from "../testing/chat-server/script.ts";
import { html } from "../testing/http/delivery.ts";
import { chatCompletions } from "./chat-completions.ts";
import { failureIn, type Delta, type Model, type ModelRequest, type Reply } from "./model.ts";

const never = new AbortController().signal;
const request: ModelRequest = {
  system: [],
  tools: [{ name: "search", description: "", schema: {} }],
  messages: [{ role: "user", content: [{ type: "text", text: "go" }] }],
  maxTokens: 100,
};
const parts = [
  think("Höm 🙂"),
  say("Grüße 🙂, tschüß."),
  call("search", { pattern: "ü🙂" }, "a"),
  call("search", { pattern: "–" }, "b"),
];
const usage = { prompt: 9, cached: 3, completion: 7 };

const modelAt = (baseUrl: string, fetch = globalThis.fetch): Model =>
  chatCompletions({ provider: "mock", model: "test", baseUrl, apiKey: "test-key", fetch });

async function heard(model: Model): Promise<{ reply: Reply; deltas: Delta[] }> {
  const deltas: Delta[] = [];
  return { reply: await model.respond(request, (delta) => deltas.push(delta), never), deltas };
}

/** The bytes of an answer as they came over HTTP. */
async function bytesOf(quirks: Partial<Quirks>): Promise<Uint8Array> {
  const server = await startChatServer({ script: [reply(parts, { usage, quirks })] });
  let bytes = new Uint8Array();
  try {
    const model = modelAt(server.url, async (...args) => {
      const response = await fetch(...args);
      bytes = new Uint8Array(await response.clone().arrayBuffer());
      return response;
    });
    await model.respond(request, () => undefined, never);
    return bytes;
  } finally {
    await server.close();
  }
}

/** A model whose connection delivers these pieces, then ends or breaks. */
const modelOf = (pieces: readonly Uint8Array[], how: "end" | "reset" = "end"): Model =>
  modelAt("http://localhost/v1", async () => new Response(ReadableStream.from(delivered(pieces, how))));

async function* delivered(pieces: readonly Uint8Array[], how: "end" | "reset"): AsyncGenerator<Uint8Array> {
  yield* pieces;
  if (how === "reset") throw new TypeError("terminated");
}

test.each([
  ["LF", {}],
  ["CRLF and comments", { eol: "\r\n", comments: true }],
] as const)("a stream split at any byte is the same reply: %s", async (_, quirks) => {
  const bytes = await bytesOf(quirks);
  const whole = await heard(modelOf([bytes]));
  expect(whole.reply).toMatchObject({ stop: "tool_use", badInputs: new Map() });
  expect(toolUsesOf(whole.reply.message)).toHaveLength(2);
  for (let at = 1; at < bytes.length; at += 1) {
    const split = await heard(modelOf([bytes.subarray(0, at), bytes.subarray(at)]));
    expect(split, `split at byte ${at}`).toEqual(whole);
  }
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat(bytes.length)), async (cuts) => {
      const ends = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      const pieces = ends.slice(1).map((end, index) => bytes.subarray(ends[index], end));
      expect(await heard(modelOf(pieces))).toEqual(whole);
    }),
  );
  const server = await startChatServer({ script: [reply(parts, { usage, quirks, chunk: 1 })] });
  try {
    expect(await heard(modelAt(server.url))).toEqual(whole);
  } finally {
    await server.close();
  }
});

const made = parts.filter((part) => part.type === "tool_use").map(({ name, input }) => ({ name, input }));

/** A reply to a stream that was cut holds whole calls or none: none where the connection broke, or the cut shows. */
function checkCut({ stop, message, badInputs }: Reply, how: "end" | "reset", where: string): number {
  const calls = toolUsesOf(message).map(({ name, input }) => ({ name, input }));
  const failed = failureIn(stop)?.code;
  expect(badInputs.size, where).toBe(0);
  expect(calls, where).toEqual(made.slice(0, calls.length));
  if (calls.length > 0) expect(stop, where).toBe("tool_use");
  else expect(failed ?? stop, where).toBe(failed === undefined ? "end_turn" : "E_STREAM_CUT");
  if (how === "reset") expect(failed === undefined, where).toBe(calls.length === made.length);
  return calls.length;
}

test.each([
  ["reset", {}],
  ["reset", { finish: "absent" }],
  ["end", {}],
  ["end", { arguments: "whole", usage: "every" }],
  ["end", { finish: "absent", done: false, ids: "absent", index: "absent" }],
] as const)("a stream cut at any byte (%s, %j) holds whole calls or none", async (how, quirks) => {
  const bytes = await bytesOf(quirks);
  let calls = 0;
  for (let at = 0; at <= bytes.length; at += 1) {
    const { reply } = await heard(modelOf([bytes.subarray(0, at)], how));
    calls = checkCut(reply, how, `cut at byte ${at}`);
  }
  expect(calls).toBe(2);
});

test.each(["reset", "end"] as const)("a connection cut anywhere (%s) gives no half call", async (how) => {
  let at = 0;
  const server = await startChatServer({ script: () => reply(parts, { usage, broken: { at, how } }) });
  try {
    for (let calls = 0; calls < made.length; at += 67) {
      calls = checkCut((await heard(modelAt(server.url))).reply, how, `cut at byte ${at}`);
    }
  } finally {
    await server.close();
  }
});

async function failure(
  answer: ChatReply,
): Promise<{ code: string | undefined; message: string; retry: boolean; text: string }> {
  const server = await startChatServer({ script: [answer] });
  try {
    const { stop, message } = await modelAt(server.url).respond(request, () => undefined, never);
    const failed = failureIn(stop);
    const { code, message: words = "", retryAfterMs } = failed ?? {};
    return { code, message: words, retry: retryAfterMs !== undefined, text: textOf(message) };
  } finally {
    await server.close();
  }
}

test.each<[string, ChatReply, object]>([
  [
    "an error object in the stream",
    [say("Well"), errorChunk("Overheated")],
    { code: "E_SERVER", message: "The service failed: Overheated.", retry: true, text: "Well" },
  ],
  [
    "an error with the code of a status",
    [errorChunk("Slow down", { code: 429 })],
    {
      code: "E_RATE_LIMIT",
      message: "The service limits how much may be asked at a time (HTTP 429): Slow down.",
      retry: true,
    },
  ],
  [
    "a choice that ends in an error",
    [
      {
        type: "raw_chunk",
        data: { choices: [{ delta: {}, finish_reason: "error", error: { code: 502, message: "Upstream" } }] },
      },
    ],
    { code: "E_SERVER", message: "The service failed (HTTP 502): Upstream." },
  ],
  [
    "a choice that ends in an error without a word",
    [{ type: "raw_chunk", data: { choices: [{ delta: {}, finish_reason: "error" }] } }],
    { code: "E_SERVER", message: "The service failed: it sent an error without a message." },
  ],
  [
    "an error in words",
    [{ type: "raw_chunk", data: { error: "no memory left" } }],
    { code: "E_SERVER", message: "The service failed: no memory left." },
  ],
  [
    "an error as vLLM has it",
    [
      {
        type: "raw_chunk",
        data: {
          object: "error",
          message: "This model's maximum context length is 10 tokens.",
          type: "BadRequestError",
          code: 400,
        },
      },
    ],
    { code: "E_CONTEXT_FULL", retry: false },
  ],
  [
    "a chunk that is no JSON",
    [say("Well"), { type: "raw_chunk", data: "{oops" }],
    { code: "E_BAD_ANSWER", retry: true, text: "Well" },
  ],
  [
    "a page instead of an answer",
    html(200, "Log in"),
    { code: "E_BAD_ANSWER", message: "The server answered with text/html instead of a completion." },
  ],
  [
    "a page of a broken proxy",
    html(502, "Bad gateway"),
    {
      code: "E_SERVER",
      message: 'The service failed (HTTP 502): an HTML page instead of an answer ("Bad gateway").',
      retry: true,
    },
  ],
  [
    "an error in one piece of JSON with a good status",
    {
      status: 200,
      headers: { "content-type": "application/json" },
      body: '{"error":{"message":"No","type":"invalid_request_error"}}',
    },
    { code: "E_BAD_REQUEST", message: "The service rejected the request: No.", retry: false },
  ],
  [
    "a list of errors",
    { status: 400, headers: {}, body: '[{"error":{"message":"No","status":"INVALID_ARGUMENT"}}]' },
    { code: "E_BAD_REQUEST", message: "The service rejected the request (HTTP 400): No." },
  ],
  [
    "an empty account",
    httpError(429, "You exceeded your current quota", { code: "insufficient_quota" }),
    { code: "E_CREDIT", retry: false },
  ],
  ["a crowd", httpError(429, "Slow down", {}, { "retry-after": "2" }), { code: "E_RATE_LIMIT", retry: true }],
  [
    "OpenAI's full context",
    httpError(400, "Your input exceeds the limit", { code: "context_length_exceeded" }),
    { code: "E_CONTEXT_FULL", retry: false },
  ],
  [
    "llama.cpp's full context",
    httpError(400, "the request exceeds the available context size, try increasing it", {
      type: "exceed_context_size_error",
    }),
    { code: "E_CONTEXT_FULL" },
  ],
  [
    "LM Studio's full context",
    httpError(400, "The number of tokens to keep from the initial prompt is greater than the context length."),
    { code: "E_CONTEXT_FULL" },
  ],
  [
    "Groq's full context",
    httpError(400, "Please reduce the length of the messages or completion."),
    { code: "E_CONTEXT_FULL" },
  ],
  [
    "Gemini's full context",
    httpError(400, "The input token count (12) exceeds the maximum number of tokens allowed (10)."),
    { code: "E_CONTEXT_FULL" },
  ],
  [
    "xAI's full context",
    httpError(400, "This model's maximum prompt length is 10 but the request contains 12 tokens."),
    { code: "E_CONTEXT_FULL" },
  ],
  [
    "Anthropic's full context behind a gateway",
    httpError(
      400,
      "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length",
    ),
    { code: "E_CONTEXT_FULL" },
  ],
  [
    "newer vLLM's full context",
    httpError(400, "The decoder prompt (length 5000) is longer than the maximum model length of 4096."),
    { code: "E_CONTEXT_FULL" },
  ],
  [
    "Copilot's full context",
    httpError(400, "prompt token count of 135000 exceeds the limit of 128000"),
    { code: "E_CONTEXT_FULL" },
  ],
  [
    "OpenAI's request that no wait makes fit",
    httpError(429, "Request too large for gpt-5 on tokens per min (TPM): Limit 30000, Requested 42000."),
    { code: "E_CONTEXT_FULL", retry: false },
  ],
  [
    "DashScope's full context",
    httpError(400, "Range of input length should be [1, 129024]"),
    { code: "E_CONTEXT_FULL" },
  ],
  [
    "Cohere's full context",
    httpError(400, "too many tokens: size limit exceeded by 12 tokens"),
    { code: "E_CONTEXT_FULL" },
  ],
  [
    "Bedrock's rate",
    httpError(429, "Too many tokens, please wait before trying again."),
    { code: "E_RATE_LIMIT", retry: true },
  ],
  [
    "nothing at all",
    reply([], { quirks: { role: false, finish: "absent", done: false, usage: "absent" } }),
    { code: "E_STREAM_CUT", retry: true },
  ],
])("%s is a failure", async (_, answer, expected) => {
  expect(await failure(answer)).toMatchObject(expected);
});

test("an abort in mid-stream ends at once with what was said", async () => {
  const server = await startChatServer({
    script: [reply(say("Hello there, this is long."), { broken: { at: 600, how: "silence" } })],
  });
  const controller = new AbortController();
  const told: Delta["type"][] = [];
  try {
    const stop = (delta: Delta): void => {
      told.push(delta.type);
      if (delta.type === "text") controller.abort();
    };
    const { stop: end, message, usage: counted } = await modelAt(server.url).respond(request, stop, controller.signal);
    expect(end).toBe("aborted");
    expect("Hello there, this is long.".startsWith(textOf(message)) && textOf(message) !== "").toBe(true);
    // An estimate, without a word of blame: the server had not come to its count.
    expect([counted.estimated, told.filter((type) => type === "notice")]).toEqual([true, []]);
  } finally {
    await server.close();
  }
});

test("a silent stream is a cut one, before its first byte and after", async () => {
  const server = await startChatServer({
    script: [
      reply(say("Hello there"), { delayMs: 60_000 }),
      reply(say("Hello there"), { broken: { at: 200, how: "silence" } }),
    ],
  });
  try {
    const model = chatCompletions({
      provider: "mock",
      model: "test",
      baseUrl: server.url,
      apiKey: "test-key",
      idleMs: 50,
    });
    const codes: unknown[] = [];
    for (const _ of [1, 2]) {
      const { stop } = await model.respond(request, () => undefined, never);
      codes.push(failureIn(stop)?.code ?? stop);
    }
    expect(codes).toEqual(["E_STREAM_CUT", "E_STREAM_CUT"]);
  } finally {
    await server.close();
  }
});
