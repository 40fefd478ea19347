/** Servers that mean harm, or never end: what they send costs neither the key nor the run. */

import { createServer, type ServerResponse } from "node:http";
import { afterEach, expect, test } from "vitest";
import { textOf, toolUsesOf } from "../message.ts";
import { anthropic } from "./anthropic.ts";
import { chatCompletions } from "./chat-completions.ts";
import { failureIn, type Model, type ModelRequest, type Reply } from "./model.ts";

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

type Handler = (response: ServerResponse, headers: NodeJS.Dict<string | string[]>) => void;

async function serverOf(handle: Handler, host = "127.0.0.1"): Promise<string> {
  const server = createServer((incoming, response) => {
    response.on("error", () => undefined);
    incoming.resume().on("end", () => handle(response, incoming.headers));
  });
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  return `http://${host}:${typeof address === "object" && address !== null ? address.port : 0}`;
}

type Adapter = {
  at(baseUrl: string): Model;
  /** The events of a stream that says this and is then over. */
  saying(text: string, usage?: string): string;
  /** The start of a stream that goes on with `text` for ever. */
  piece(text: string): string;
};

const event = (value: unknown): string => `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`;

const messages: Adapter = {
  at: (baseUrl) => anthropic({ model: "m", apiKey: "the-key", baseUrl }),
  saying: (text, usage = '{"input_tokens":3,"output_tokens":4}') =>
    event({ type: "content_block_start", index: 0, content_block: { type: "text", text } }) +
    event(`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":${usage}}`) +
    event({ type: "message_stop" }),
  piece: (text) =>
    event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }) +
    event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } }),
};

const chat: Adapter = {
  at: (baseUrl) => chatCompletions({ provider: "p", model: "m", apiKey: "the-key", baseUrl }),
  saying: (text, usage = '{"prompt_tokens":3,"completion_tokens":4}') =>
    event({ choices: [{ delta: { content: text }, finish_reason: "stop" }] }) +
    event(`{"choices":[],"usage":${usage}}`) +
    event("[DONE]"),
  piece: (text) => event({ choices: [{ delta: { content: text } }] }),
};

const adapters: [string, Adapter][] = [
  ["messages", messages],
  ["chat", chat],
];

const request: ModelRequest = {
  system: [],
  tools: [],
  messages: [{ role: "user", content: [{ type: "text", text: "the project's text" }] }],
  maxTokens: 100,
};

async function asked(model: Model, signal = new AbortController().signal): Promise<Reply> {
  return model.respond(request, () => undefined, signal);
}

function outcomeOf({ stop }: Reply): { code: string; narration: string; again: boolean } | undefined {
  const failed = failureIn(stop);
  if (failed === undefined) return undefined;
  const { code, narration, retryAfterMs } = failed;
  return { code, narration, again: retryAfterMs !== undefined };
}

function stream(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { "content-type": "text/event-stream" });
}

/** Writes the same again and again, as fast as it is read. */
function flood(response: ServerResponse, text: string): void {
  const pour = (): void => {
    while (!response.destroyed && response.write(text));
  };
  response.on("drain", pour);
  pour();
}

test.each(
  adapters.flatMap(([name, adapter]) => [301, 302, 307, 308].map((status) => [name, status, adapter] as const)),
)(
  "a redirection is not followed: neither key nor request reach the other host (%s, %i)",
  async (_, status, adapter) => {
    const reached: unknown[] = [];
    const other = await serverOf((response, headers) => {
      reached.push(headers);
      response.end();
    }, "127.0.0.2");
    const url = await serverOf((response) => response.writeHead(status, { location: `${other}/take` }).end());
    const failure = outcomeOf(await asked(adapter.at(url)));
    expect([failure?.code, failure?.again, reached]).toEqual(["E_REDIRECTED", false, []]);
    expect(failure?.narration).toContain(`${other}/take`);
  },
);

test.each(adapters)("an answer that is over ends, whatever still comes (%s)", async (_, adapter) => {
  for (const more of [": still here\n\n", adapter.piece("And another thing.")]) {
    const url = await serverOf((response) => {
      stream(response).write(adapter.saying("Done."));
      flood(response, more.repeat(1000));
    });
    const reply = await asked(adapter.at(url));
    expect([reply.stop, textOf(reply.message)]).toEqual(["end_turn", "Done."]);
  }
});

test.each(adapters)("an answer without end is given up, and not asked for again (%s)", async (_, adapter) => {
  const url = await serverOf((response) => {
    stream(response).write(adapter.piece("It begins."));
    flood(response, `: ${"x".repeat(1_000_000)}\n\n`);
  });
  expect(outcomeOf(await asked(adapter.at(url)))).toMatchObject({ code: "E_BAD_ANSWER", again: false });
});

test.each(
  adapters.flatMap(([name, adapter]) =>
    ["<title", "input token count "].map((words) => [name, words, adapter] as const),
  ),
)("an error made to be slow to read is read at once (%s, %s)", async (_, words, adapter) => {
  const message = words.repeat(60_000);
  const body = JSON.stringify({ type: "error", error: { type: "invalid_request_error", message } });
  const url = await serverOf((response) => response.writeHead(400, { "content-type": "application/json" }).end(body));
  const failure = outcomeOf(await asked(adapter.at(url)));
  expect([failure?.code, failure?.narration.length]).toEqual(["E_BAD_REQUEST", expect.any(Number)]);
  expect(failure?.narration.length).toBeLessThan(1_000);
});

test.each(adapters)("an event nested deeper than anything can walk is a bad answer (%s)", async (_, adapter) => {
  const deep = `{"type":"ping","x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  const url = await serverOf((response) => void stream(response).end(event(deep) + adapter.saying("Done.")));
  expect(outcomeOf(await asked(adapter.at(url)))).toMatchObject({ code: "E_BAD_ANSWER" });
});

test("thousands of calls under one id, and thoughts in as many pieces, take no longer than they are long", async () => {
  const count = 20_000;
  const pieces = Array.from({ length: count }, (_, at) => {
    const call = { index: 0, id: "one", function: { name: "search", arguments: `{"pattern":"${at % (count / 2)}"}` } };
    return event({ choices: [{ delta: { tool_calls: [call], reasoning_details: [{ text: "t" }] } }] });
  });
  const url = await serverOf((response) => void stream(response).end(pieces.join("") + chat.saying("")));
  const { message } = await asked(chat.at(url));
  const calls = toolUsesOf(message);
  expect(calls.map(({ input }) => input)).toEqual(
    Array.from({ length: count / 2 }, (_, at) => ({ pattern: String(at) })),
  );
  expect(new Set(calls.map(({ id }) => id)).size).toBe(count / 2);
});

test.each(adapters)("tokens counted below zero or without end are not counted (%s)", async (_, adapter) => {
  for (const odd of ["-5", "1e999", "1e308", '"7"', "null"]) {
    const names = ["input_tokens", "output_tokens", "prompt_tokens", "completion_tokens"];
    const usage = `{${names.map((name) => `"${name}":${odd}`).join()}}`;
    const url = await serverOf((response) => void stream(response).end(adapter.saying("Done.", usage)));
    const { usage: counted } = await asked(adapter.at(url));
    const counts = [counted.input, counted.cacheRead, counted.cacheWrite, counted.output];
    expect(counts.filter((count) => !(count >= 0 && count < 1_000))).toEqual([]);
  }
});
