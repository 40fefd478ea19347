import { expect, test } from "vitest";
import { Failure } from "../error.ts";
import { toolUsesOf, type UserMessage } from "../message.ts";
import { call, errorEvent, httpError, reply, say } from "../testing/messages-server/script.ts";
import { startMessagesServer } from "../testing/messages-server/messages-server.ts";
import { anthropic } from "./anthropic.ts";
import type { Delta, Model, ModelRequest, Reply } from "./model.ts";
import { retry, type RetryOptions } from "./retry.ts";
import { cutAfter, fail, scripted, using, type Script } from "./scripted.ts";

const never = new AbortController().signal;
const hello: UserMessage = { role: "user", content: [{ type: "text", text: "Hello" }] };
const search = { name: "search", description: "", schema: { type: "object" } };
const request: ModelRequest = { system: [], tools: [search], messages: [hello], maxTokens: 100 };

/** Waits are noted, not waited for; half of the random half is always added. */
function noted(options: RetryOptions = {}): { waits: number[]; options: RetryOptions } {
  const waits: number[] = [];
  const sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    waits.push(ms);
  };
  return { waits, options: { random: () => 0.5, sleep, ...options } };
}

async function run(model: Model, signal = never): Promise<{ reply: Reply; deltas: Delta[] }> {
  const deltas: Delta[] = [];
  return { reply: await model.respond(request, (delta) => deltas.push(delta), signal), deltas };
}

function overloaded(retryAfterMs: number | undefined): Failure {
  return new Failure("E_OVERLOADED", "Too much.", { retryAfterMs });
}

test("what may pass is asked again, with what streamed taken back and all usage added up", async () => {
  const script = [using({ input: 3, output: 1 }, cutAfter("Half a")), using({ input: 4, output: 2 }, say("All."))];
  const { waits, options } = noted();
  const { reply: last, deltas } = await run(retry(options)(scripted(script)));
  expect(deltas).toEqual([
    { type: "text", text: "Half a" },
    { type: "notice", code: "retry", text: "The script cut this reply. Trying again in 0.8 s (2 of 5)." },
    { type: "discard" },
    { type: "text", text: "All." },
  ]);
  expect(last).toEqual({
    message: { role: "assistant", content: [say("All.")], origin: { provider: "", model: "scripted" } },
    usage: { input: 7, output: 3, cacheRead: 0, cacheWrite: 0 },
    stop: "end_turn",
    badInputs: new Map(),
  });
  expect(waits).toEqual([750]);
});

test("waits double up to the limit, and the service may ask for longer ones", async () => {
  const script: Script = (_, n) => fail(overloaded(n === 2 ? 5000 : 0));
  const { waits, options } = noted({ attempts: 6, baseMs: 1000, maxWaitMs: 6000 });
  const { reply: last } = await run(retry(options)(scripted(script)));
  expect(waits).toEqual([750, 5000, 3000, 4500, 4500]);
  expect(last.stop).toEqual({ failed: overloaded(0) });
});

test("what cannot pass is not asked again", async () => {
  const { waits, options } = noted();
  const { deltas } = await run(retry(options)(scripted([fail(overloaded(undefined))])));
  expect([deltas, waits]).toEqual([[], []]);
});

test("a wait longer than the limit is reported, not waited", async () => {
  const { waits, options } = noted({ maxWaitMs: 1000 });
  const { reply: last, deltas } = await run(retry(options)(scripted([fail(overloaded(3_600_000))])));
  expect(last.stop).toEqual({ failed: overloaded(3_600_000) });
  expect(waits).toEqual([]);
  expect(deltas).toEqual([
    { type: "notice", code: "retry", text: "The service asks to wait 3600 s, longer than this run waits." },
  ]);
});

test("an abort during the wait keeps what had streamed", async () => {
  const control = new AbortController();
  const deltas: Delta[] = [];
  const model = retry({ baseMs: 60_000 })(scripted([cutAfter("Half")]));
  const stopped = await model.respond(
    request,
    (delta) => {
      deltas.push(delta);
      if (delta.type === "notice") setImmediate(() => control.abort());
    },
    control.signal,
  );
  expect(deltas.map(({ type }) => type)).toEqual(["text", "notice"]);
  expect(stopped.stop).toBe("aborted");
  expect(stopped.message.content).toEqual([say("Half")]);
});

test.each([
  ["fails", fail(overloaded(undefined))],
  ["is refused by a ceiling", fail(new Failure("E_DOLLAR_BUDGET", "Too dear."))],
])("what had streamed is kept where the last attempt %s without a word", async (_, end) => {
  const { options } = noted();
  const { reply: last } = await run(retry(options)(scripted([cutAfter("Half"), fail(overloaded(0)), end])));
  expect([last.message.content, last.stop]).toEqual([[say("Half")], end.stop]);
});

test("an empty reply is not filled up with what was cut before it", async () => {
  const { options } = noted();
  const { reply: last } = await run(retry(options)(scripted([cutAfter("Half"), []])));
  expect([last.message.content, last.stop]).toEqual([[], "end_turn"]);
});

const good = [say("I look."), call("search", { pattern: "x" })];
const cuts = [
  ["before any event", reply(good, { broken: { at: 0, how: "reset" } }), []],
  ["within text", reply(good, { broken: { at: 700, how: "reset" } }), ["text"]],
  ["within a tool input", reply(good, { broken: { at: 900, how: "end" } }), ["text", "tool_input"]],
  ["after the call was complete", [...good, errorEvent("overloaded_error")], ["text", "tool_input"]],
  ["by an overload before the stream", httpError(529), []],
  ["by a rate limit", httpError(429, "slow down", { "retry-after-ms": "3" }), []],
] as const;

test.each(cuts)(
  "over HTTP: cut %s, the request is repeated whole and the call comes once",
  async (_, broken, streamed) => {
    const server = await startMessagesServer({ script: [broken, good] });
    try {
      const { waits, options } = noted();
      const capabilities = { betas: true, caching: true, thinking: true };
      const adapter = anthropic({ model: "claude-opus-5-5", apiKey: "test-key", baseUrl: server.url, capabilities });
      const { reply: last, deltas } = await run(retry(options)(adapter));
      expect(waits).toHaveLength(1);
      expect(server.requests.map(({ body }) => body)).toEqual([server.requests[0]?.body, server.requests[0]?.body]);
      expect(toolUsesOf(last.message).map(({ id }) => id)).toEqual(["toolu_2_2"]);
      const first = deltas.slice(
        0,
        deltas.findIndex(({ type }) => type === "notice"),
      );
      expect([...new Set(first.map(({ type }) => type))]).toEqual(streamed);
      expect(deltas.filter(({ type }) => type === "discard")).toHaveLength(streamed.length > 0 ? 1 : 0);
      const kept = deltas.slice(deltas.findLastIndex(({ type }) => type === "discard" || type === "notice") + 1);
      expect(kept.filter(({ type }) => type === "text")).toEqual([{ type: "text", text: "I look." }]);
    } finally {
      await server.close();
    }
  },
);
