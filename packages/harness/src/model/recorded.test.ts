import { expect, test } from "vitest";
import { Failure } from "../error.ts";
import { noUsage, type AssistantMessage, type Message } from "../message.ts";
import type { Delta, Model, Reply, Stop } from "./model.ts";
import { recorded, type Exchange } from "./recorded.ts";

const asked = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const said = (...texts: string[]): AssistantMessage => ({
  role: "assistant",
  content: texts.map((text) => ({ type: "text", text })),
  origin: { provider: "p", model: "m" },
});
const reply = (message: AssistantMessage, stop: Stop = "end_turn"): Reply => ({
  message,
  usage: { ...noUsage, output: 7 },
  stop,
  badInputs: new Map([["t1", "no JSON"]]),
});

const first: Exchange = {
  messages: [asked("One?")],
  notices: [{ type: "notice", code: "retry", text: "Again." }],
  reply: reply(said("Yes", ".")),
};
const second: Exchange = {
  messages: [asked("One?"), said("Yes", "."), asked("Two?")],
  notices: [],
  reply: reply(said("Half"), { failed: new Failure("E_CUT", "It broke.") }),
};

async function ask(
  model: Model,
  messages: readonly Message[],
  signal: AbortSignal = new AbortController().signal,
): Promise<[Reply, Delta[]]> {
  const deltas: Delta[] = [];
  const answer = await model.respond(
    { system: [], tools: [], messages, maxTokens: 1 },
    (delta) => deltas.push(delta),
    signal,
  );
  return [answer, deltas];
}

test("who asks what was asked hears what was said: notices, text, and the reply as it was, failures too", async () => {
  const model = recorded("p/m", [first, second]);
  expect(await ask(model, first.messages)).toEqual([
    first.reply,
    [
      { type: "notice", code: "retry", text: "Again." },
      { type: "text", text: "Yes" },
      { type: "text", text: "." },
    ],
  ]);
  expect(await ask(model, second.messages)).toEqual([second.reply, [{ type: "text", text: "Half" }]]);
  expect(model.id).toBe("p/m");
});

test("who asks something else is told where it differs, and gets no further answer", async () => {
  const model = recorded("p/m", [first, second]);
  await ask(model, first.messages);
  const [differing, deltas] = await ask(model, [asked("One?"), said("Yes", "!"), asked("Two?")]);
  expect([differing, deltas]).toEqual([
    {
      message: { role: "assistant", content: [], origin: { provider: "p", model: "m" } },
      usage: noUsage,
      stop: {
        failed: expect.objectContaining({
          code: "E_REPLAY_DIFFERS",
          message: 'Request 2 is not the one that was recorded: messages[1].content[1].text was "." and is now "!".',
        }),
      },
      badInputs: new Map(),
    },
    [],
  ]);
  expect((await ask(model, second.messages))[0].stop).toEqual(differing.stop);
});

test("who asks more than was recorded is told so", async () => {
  const model = recorded("p/m", [first]);
  await ask(model, first.messages);
  expect((await ask(model, second.messages))[0].stop).toEqual({
    failed: expect.objectContaining({
      code: "E_REPLAY_EXHAUSTED",
      message: "The trace holds 1 reply, but this is request 2.",
    }),
  });
});

test("once the signal has fired it is aborted, and the exchange is still there", async () => {
  const model = recorded("p/m", [first]);
  expect((await ask(model, first.messages, AbortSignal.abort()))[0].stop).toBe("aborted");
  expect((await ask(model, first.messages))[0]).toBe(first.reply);
});
