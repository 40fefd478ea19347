import { expect, test } from "vitest";
import { noUsage } from "../../message.ts";
import type { Delta } from "../model.ts";
import { gather, type Answer } from "./accumulate.ts";

const origin = { provider: "p", model: "m" };

function fed(...events: unknown[]): { answer: Answer; deltas: Delta[] } {
  const deltas: Delta[] = [];
  const answer = gather(
    origin,
    () => 400,
    (delta) => deltas.push(delta),
  );
  for (const event of events) answer.add(event);
  return { answer, deltas };
}

const start = (index: number, content_block: object): object => ({ type: "content_block_start", index, content_block });
const grow = (index: number, delta: object): object => ({ type: "content_block_delta", index, delta });
const end = (delta: object, more: object = {}): object => ({ type: "message_delta", delta, ...more });

test.each<[string, unknown[]]>([
  ["a part of a block that never began", [grow(0, { type: "text_delta", text: "x" })]],
  [
    "a part of a block that has ended",
    [start(0, { type: "text" }), { type: "content_block_stop", index: 0 }, grow(0, {})],
  ],
  ["a call without an id", [start(0, { type: "tool_use", name: "a" })]],
  ["two calls of one id", [start(0, { type: "tool_use", id: "a" }), start(1, { type: "tool_use", id: "a" })]],
  ["an event that is no object", ["x"]],
])("%s is a bad answer", (_, events) => {
  expect(() => fed(...events)).toThrow(expect.objectContaining({ code: "E_BAD_ANSWER", retryAfterMs: 0 }));
});

test("counters that a report leaves out or sets to null keep their value", () => {
  const { answer } = fed(
    { type: "message_start", message: { usage: { input_tokens: 5, cache_read_input_tokens: 7, output_tokens: 1 } } },
    end({}, { usage: { input_tokens: null, cache_creation_input_tokens: 3, output_tokens: 20 } }),
  );
  expect(answer.whole().usage).toEqual({ input: 5, cacheRead: 7, cacheWrite: 3, output: 20 });
});

test("the tokens of a message whose end was not counted are an estimate, for its beginning counts one", () => {
  const begun = { type: "message_start", message: { usage: { input_tokens: 5, output_tokens: 1 } } };
  const counted = end({ stop_reason: "end_turn" }, { usage: { output_tokens: 20 } });
  const estimate = { input: 5, cacheRead: 0, cacheWrite: 0, output: 1, estimated: true };
  expect([
    fed(begun, counted).answer.whole().usage,
    fed(begun, end({ stop_reason: "end_turn" })).answer.whole().usage,
    fed(begun).answer.partial("aborted").usage,
    fed().answer.partial("aborted").usage,
  ]).toEqual([{ input: 5, cacheRead: 0, cacheWrite: 0, output: 20 }, estimate, estimate, noUsage]);
});

test("tokens of a request that were not reported are an estimate, told as one", () => {
  const text = [start(0, { type: "text", text: "" }), grow(0, { type: "text_delta", text: "12345678" })];
  const { answer, deltas } = fed(
    { type: "message_start", message: { usage: null } },
    ...text,
    end({}, { usage: null }),
  );
  expect(answer.whole().usage).toEqual({ input: 100, cacheRead: 0, cacheWrite: 0, output: 9, estimated: true });
  expect(deltas.at(-1)).toMatchObject({ type: "notice", code: "usage_estimated" });
  const halved = fed(...text, end({}, { usage: { input_tokens: 0, output_tokens: 50 } })).answer.whole();
  expect(halved.usage).toMatchObject({ input: 100, output: 50, estimated: true });
  const cached = fed(...text, end({}, { usage: { cache_read_input_tokens: 7, output_tokens: 50 } })).answer.whole();
  expect(cached.usage).toEqual({ input: 0, cacheRead: 7, cacheWrite: 0, output: 50 });
});

test("a message that is over without a stop reason ends the turn, or stops for its calls", () => {
  const over = [end({ stop_reason: null }), { type: "message_stop" }];
  expect(fed(start(0, { type: "text", text: "a" }), ...over).answer.whole().stop).toBe("end_turn");
  expect(fed(start(0, { type: "tool_use", id: "a", name: "b" }), ...over).answer.whole().stop).toBe("tool_use");
});

test("a turn that ends with calls in it stops for them, whatever its stop reason", () => {
  const { answer } = fed(start(0, { type: "tool_use", id: "a", name: "search" }), end({ stop_reason: "end_turn" }));
  expect(answer.whole().stop).toBe("tool_use");
});

test("an index that is used again is another block, and an input may come whole", () => {
  const { answer } = fed(
    start(0, { type: "tool_use", id: "a", name: "search", input: { x: 1 } }),
    { type: "content_block_stop", index: 0 },
    start(0, { type: "tool_use", id: "b", name: "search", input: {} }),
    grow(0, { type: "input_json_delta", partial_json: '{"y":2}' }),
  );
  expect(answer.whole().message.content).toEqual([
    { type: "tool_use", id: "a", name: "search", input: { x: 1 } },
    { type: "tool_use", id: "b", name: "search", input: { y: 2 } },
  ]);
});

test("what the service did on its own is noticed", () => {
  const { deltas } = fed(
    start(0, { type: "fallback", from: {}, to: {} }),
    end(
      { stop_reason: "refusal", stop_details: { type: "refusal", explanation: "Not this." } },
      { context_management: { applied_edits: [{ type: "clear_tool_uses_20250919", cleared_input_tokens: 50_000 }] } },
    ),
  );
  expect(deltas).toEqual([
    { type: "notice", code: "fallback", text: "The service let another model answer." },
    { type: "notice", code: "refusal", text: "Not this." },
    { type: "notice", code: "context_edited", text: "The service put 50000 tokens of old tool results aside." },
  ]);
});

test("blocks croft does not know keep lists and the parsed input of server tools", () => {
  const { answer } = fed(
    start(0, { type: "server_tool_use", id: "s", name: "web", input: {} }),
    grow(0, { type: "input_json_delta", partial_json: '{"q":"x"}' }),
    start(1, { type: "odd", list: [1] }),
    grow(1, { type: "odd_delta", list: [2], note: "a" }),
    grow(1, { type: "citations_delta", citation: { cited: "x" } }),
  );
  expect(answer.whole().message.content).toEqual([
    { type: "opaque", raw: { type: "server_tool_use", id: "s", name: "web", input: { q: "x" } } },
    { type: "opaque", raw: { type: "odd", list: [1, 2], note: "a", citations: [{ cited: "x" }] } },
  ]);
});
