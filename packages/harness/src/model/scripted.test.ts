import { expect, test } from "vitest";
import type { UserMessage } from "../message.ts";
import type { Delta, Model, ModelRequest, Reply } from "./model.ts";
import { call, cutAfter, say, scripted, slow, think, using } from "./scripted.ts";

const never = new AbortController().signal;
const hello: UserMessage = { role: "user", content: [{ type: "text", text: "Hello" }] };
const request: ModelRequest = { system: [], tools: [], messages: [hello], maxTokens: 100 };
const origin = { provider: "", model: "scripted" };

async function run(model: Model, signal = never): Promise<{ reply: Reply; deltas: Delta[] }> {
  const deltas: Delta[] = [];
  return { reply: await model.respond(request, (delta) => deltas.push(delta), signal), deltas };
}

test("plays thinking, text and calls, with deltas, ids and usage", async () => {
  const model = scripted([using({ output: 5 }, [think("Hm."), say("I look."), call("search", { pattern: "x" })])]);
  expect(await run(model)).toEqual({
    deltas: [
      { type: "progress", text: "Hm." },
      { type: "text", text: "I look." },
      { type: "tool_input", id: "call_1_3", name: "search", chars: 15 },
    ],
    reply: {
      message: {
        role: "assistant",
        content: [
          { type: "opaque", raw: { type: "thinking", text: "Hm." } },
          { type: "text", text: "I look." },
          { type: "tool_use", id: "call_1_3", name: "search", input: { pattern: "x" } },
        ],
        origin,
      },
      usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 5 },
      stop: "tool_use",
      badInputs: new Map(),
    },
  });
});

test("a function reacts to what was said and to how often it was asked", async () => {
  const model = scripted(({ messages }, n) => say(`${messages.length} said, request ${n}`));
  await run(model);
  const { reply } = await run(model);
  expect(reply.message.content).toEqual([say("1 said, request 2")]);
});

test("says plainly that the script ran out", async () => {
  const model = scripted([say("Hi.")]);
  await run(model);
  const { reply } = await run(model);
  expect(reply.stop).toMatchObject({
    failed: { code: "E_SCRIPT_ENDED", message: "The script has 1 replies, but this is request 2." },
  });
});

test("of a reply that is cut only the text is kept", async () => {
  const { reply } = await run(scripted([{ ...cutAfter("Half"), parts: [say("Half"), call("search", {})] }]));
  expect(reply.message.content).toEqual([say("Half")]);
  expect(reply.stop).toMatchObject({ failed: { code: "E_STREAM_CUT", retryAfterMs: 0 } });
});

test("a slow reply can be aborted", async () => {
  const { reply, deltas } = await run(scripted([slow(60_000, say("Late."))]), AbortSignal.timeout(20));
  expect([reply.stop, reply.message.content, deltas]).toEqual(["aborted", [], []]);
});

test("an input that is no object is a bad input", async () => {
  const { reply } = await run(scripted([call("search", '{"cut":')]));
  expect([...reply.badInputs.keys()]).toEqual(["call_1_1"]);
});
