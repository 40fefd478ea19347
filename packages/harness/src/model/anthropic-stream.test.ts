import fc from "fast-check";
import { expect, test } from "vitest";
import { Failure } from "../error.ts";
import { toolUsesOf, type UserMessage } from "../message.ts";
import { call, reply, say, think } from "../testing/messages-server/script.ts";
import { startMessagesServer } from "../testing/messages-server/messages-server.ts";
import { anthropic } from "./anthropic.ts";
import { gather } from "./anthropic/accumulate.ts";
import { failureIn, type Delta, type ModelRequest, type Reply } from "./model.ts";

const never = new AbortController().signal;
const hello: UserMessage = { role: "user", content: [{ type: "text", text: "Hello" }] };
const search = { name: "search", description: "", schema: { type: "object" } };
const request: ModelRequest = { system: [], tools: [search], messages: [hello], maxTokens: 100 };
const parts = [think("Höm 🙂"), say("Grüße 🙂, tschüß."), call("search", { pattern: "ü🙂" })];
const capabilities = { betas: true, caching: true, thinking: true };
const settings = { model: "claude-opus-5-5", apiKey: "test-key", capabilities };

async function heard(fetch: typeof globalThis.fetch, baseUrl: string): Promise<{ reply: Reply; deltas: Delta[] }> {
  const deltas: Delta[] = [];
  const model = anthropic({ ...settings, baseUrl, fetch });
  return { reply: await model.respond(request, (delta) => deltas.push(delta), never), deltas };
}

test("a stream split at any byte is the same reply", async () => {
  const usage = { input: 1, cacheRead: 2, cacheWrite: 3 };
  const server = await startMessagesServer({ script: [reply(parts, { usage }), reply(parts, { usage, chunk: 1 })] });
  try {
    let bytes: Uint8Array<ArrayBuffer> = new Uint8Array();
    const whole = await heard(async (...args) => {
      const response = await fetch(...args);
      bytes = new Uint8Array(await response.clone().arrayBuffer());
      return response;
    }, server.url);
    expect(whole.reply.stop).toBe("tool_use");
    const single = await heard(fetch, server.url);
    expect(JSON.stringify(single).replaceAll("toolu_2", "toolu_1")).toBe(JSON.stringify(whole));

    for (let at = 1; at < bytes.length; at += 1) {
      const body = ReadableStream.from([bytes.subarray(0, at), bytes.subarray(at)]);
      const split = await heard(async () => new Response(body), server.url);
      expect(split, `split at byte ${at}`).toEqual(whole);
    }
  } finally {
    await server.close();
  }
});

test("a stream cut at any byte fails without a call, unless the message was over", async () => {
  let at = 0;
  const how = (): "reset" | "end" => (at % 2 === 0 ? "reset" : "end");
  const server = await startMessagesServer({ script: () => reply(parts, { broken: { at, how: how() } }) });
  try {
    const model = anthropic({ ...settings, baseUrl: server.url });
    const outcomes: string[] = [];
    for (at = 0; outcomes.at(-1) !== "whole"; at += 1) {
      const { stop, message } = await model.respond(request, () => undefined, never);
      const isCut = failureIn(stop)?.code === "E_STREAM_CUT";
      if (isCut) expect(toolUsesOf(message)).toEqual([]);
      else expect(toolUsesOf(message)).toHaveLength(1);
      expect(isCut || stop === "tool_use").toBe(true);
      outcomes.push(isCut ? "cut" : "whole");
      if (at > 5000) throw new Error("the stream never ends");
    }
    expect(outcomes.length).toBeGreaterThan(1000);
    expect(outcomes.filter((outcome) => outcome === "whole")).toHaveLength(1);
  } finally {
    await server.close();
  }
});

test("no sequence of events, however odd, throws anything but a Failure", () => {
  const index = fc.constantFrom(0, 1, "0", undefined);
  const block = fc.record({
    type: fc.constantFrom("text", "tool_use", "thinking", "fallback", "odd"),
    text: fc.option(fc.string()),
    id: fc.constantFrom("a", "b", "", 3),
    name: fc.constantFrom("search", null),
    input: fc.jsonValue(),
  });
  const delta = fc.record(
    {
      type: fc.constantFrom("text_delta", "input_json_delta", "thinking_delta", "citations_delta", "odd_delta"),
      text: fc.jsonValue(),
      partial_json: fc.jsonValue(),
      thinking: fc.jsonValue(),
      stop_reason: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const event = fc.oneof(
    fc.jsonValue(),
    fc.record({ type: fc.constant("content_block_start"), index, content_block: fc.oneof(block, fc.jsonValue()) }),
    fc.record({ type: fc.constant("content_block_delta"), index, delta: fc.oneof(delta, fc.jsonValue()) }),
    fc.record({ type: fc.constant("content_block_stop"), index }),
    fc.record({ type: fc.constant("message_delta"), delta: fc.oneof(delta, fc.jsonValue()), usage: fc.jsonValue() }),
    fc.record({ type: fc.constant("error"), error: fc.jsonValue() }),
  );
  fc.assert(
    fc.property(fc.array(event), (events) => {
      const answer = gather(
        { provider: "p", model: "m" },
        () => 1,
        () => undefined,
      );
      try {
        for (const one of events) answer.add(one);
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
      }
      for (const { message, badInputs } of [answer.whole(), answer.partial("aborted")]) {
        const strange = toolUsesOf(message).filter(({ input }) => typeof input !== "object" || input === null);
        expect(strange.map(({ id }) => id)).toEqual([...badInputs.keys()]);
      }
    }),
    { numRuns: 2000 },
  );
});
