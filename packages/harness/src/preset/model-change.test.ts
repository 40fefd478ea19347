import { expect, onTestFinished, test } from "vitest";
import type { Event } from "../event.ts";
import { policyGate } from "../gate/rules.ts";
import { anthropic } from "../model/anthropic.ts";
import { chatCompletions } from "../model/chat-completions.ts";
import type { Model } from "../model/model.ts";
import { openLog } from "../session/log.ts";
import { readPast } from "../session/past.ts";
import { startChatServer, type ChatServer } from "../testing/chat-server/chat-server.ts";
import type { ChatScript } from "../testing/chat-server/script.ts";
import { startMessagesServer, type MessagesServer } from "../testing/messages-server/messages-server.ts";
import { call, say, think, type ServerScript } from "../testing/messages-server/script.ts";
import { openAsk, type Asking } from "./ask.ts";
import { again, makeFolder, traceBeside } from "./replay/recorder.testing.ts";
import type { TurnOptions } from "./turns.ts";

const never = new AbortController().signal;
const price = { input: 1, cacheRead: 1, cacheWrite: 1, output: 2 };

type Rig = {
  asking: Asking;
  messages: MessagesServer;
  chat: ChatServer;
  claude: Model;
  other: (limits?: { context: number }) => Model;
  events: Event[];
  trace: string;
  /** The same session, opened once more. */
  reopened: (more: Partial<TurnOptions>) => Promise<Asking>;
};

async function rig(
  messagesScript: ServerScript,
  chatScript: ChatScript,
  more: Partial<TurnOptions> = {},
): Promise<Rig> {
  const root = makeFolder();
  const messages = await startMessagesServer({ script: messagesScript });
  const chat = await startChatServer({ script: chatScript });
  onTestFinished(async () => {
    await Promise.all([messages.close(), chat.close()]);
    expect([messages.rejections, chat.rejections]).toEqual([[], []]);
  });
  const trace = traceBeside(root);
  const events: Event[] = [];
  const claude = anthropic({ model: "claude-opus-5-5", apiKey: "test-key", baseUrl: messages.url });
  const other: Rig["other"] = (limits = { context: 128_000 }) =>
    chatCompletions({ provider: "test", model: "test", apiKey: "test-key", baseUrl: chat.url, ...limits });
  const open = (given: Partial<TurnOptions>): Asking => {
    const session = openLog({ id: "s1", file: trace, earlier: given.past });
    const emit = (event: Event): void => void events.push(event);
    const asking = openAsk({ root, gate: policyGate(), model: claude, session, emit, retry: { baseMs: 1 }, ...given });
    onTestFinished(async () => {
      await asking.close();
      session.close();
    });
    return asking;
  };
  const reopened: Rig["reopened"] = async (given) => open({ past: await readPast(trace), ...given });
  return { asking: open(more), messages, chat, claude, other, events, trace, reopened };
}

const looking = [
  [think("Let me see."), say("I look."), call("read_file", { path: "a.ts" }, "toolu_1")],
  [think("There."), say("At a.ts:1.")],
  [think("Again."), say("As I said, a.ts:1.")],
];
const inBetween: ChatScript = [[call("search", { pattern: "beta" }, "call_0")], say("At b.ts:1.")];

/** Where thinking stands among the messages of a request. */
const thinkingIn = (body: { messages: readonly { content: unknown }[] } | undefined): boolean[] =>
  (body?.messages ?? []).map(({ content }) => JSON.stringify(content).includes('"thinking"'));

test("a session goes from one API to the other and back, each gets what is its own, and what it costs adds up", async () => {
  const { asking, messages, chat, claude, other, events, trace } = await rig(looking, inBetween);
  expect((await asking.ask("Where is alpha?", never)).answer).toBe("At a.ts:1.");
  asking.useModel(other(), price);
  expect((await asking.ask("And beta?", never)).answer).toBe("At b.ts:1.");
  asking.useModel(claude);
  expect((await asking.ask("And alpha again?", never)).answer).toBe("As I said, a.ts:1.");

  const sent = JSON.stringify(chat.requests.map(({ body }) => body));
  expect(sent).not.toContain("Let me see.");
  expect(sent).toContain("I look.");
  expect(sent).toContain("toolu_1");
  expect(thinkingIn(messages.requests[2]?.body)).toEqual([false, true, false, true, false, false, false, false, false]);
  expect(messages.requests[2]?.body.messages.slice(0, 3)).toMatchObject(messages.requests[1]?.body.messages ?? []);
  const frames = messages.requests.map(({ body }) => JSON.stringify([body.system, body.tools]));
  expect(new Set(frames).size).toBe(1);

  const steps = events.flatMap((event) => (event.type === "step" ? [event] : []));
  const chatSteps = steps.slice(2, 4);
  for (const { usage, dollars } of chatSteps) {
    const all = usage.input + usage.cacheRead + usage.cacheWrite + 2 * usage.output;
    expect(dollars).toBeCloseTo(all / 1_000_000, 12);
  }
  const stops = events.flatMap((event) => (event.type === "stop" ? [event.dollars ?? Number.NaN] : []));
  const sum = (numbers: readonly number[]): number => numbers.reduce((one, two) => one + two, 0);
  expect(sum(stops)).toBeCloseTo(sum(steps.map(({ dollars }) => dollars ?? Number.NaN)), 12);
  expect((await readPast(trace)).spent.dollars).toBeCloseTo(sum(stops), 12);
  const { same, differences } = await again(trace);
  expect({ same, differences }).toEqual({ same: true, differences: [] });
});

test("opened anew with another model, the session goes on as it does with a switch", async () => {
  const { asking, messages, chat, claude, other, reopened } = await rig(looking, inBetween);
  await asking.ask("Where is alpha?", never);
  const second = await reopened({ model: other() });
  await second.ask("And beta?", never);
  const third = await reopened({ model: claude });
  expect((await third.ask("And alpha again?", never)).answer).toBe("As I said, a.ts:1.");
  expect(JSON.stringify(chat.requests[0]?.body)).not.toContain("Let me see.");
  expect(thinkingIn(messages.requests[2]?.body).slice(0, 4)).toEqual([false, true, false, true]);
});

test("a model with less room gets the session once it fits: notes are made before its first request", async () => {
  const { asking, chat, other, events } = await rig([say("Long.")], [say("Task: read it."), say("Short.")]);
  await asking.ask(`Read this. ${"0123456789 abcdefghij\n".repeat(2_000)}`, never);
  asking.useModel(other({ context: 12_000 }));
  expect(await asking.ask("And now?", never)).toMatchObject({ status: "done", answer: "Short." });
  expect(events.filter(({ type }) => type === "compaction")).toMatchObject([
    { replaced: { upTo: expect.any(Number) } },
  ]);
  expect(JSON.stringify(chat.requests[1]?.body)).toContain("Task: read it.");
  const sizes = chat.requests.map(({ body }) => JSON.stringify(body).length);
  expect(sizes[1]).toBeLessThan(sizes[0] ?? 0);
});

test("a ceiling is raised for what comes, and goes on to hold for the models for which it held", async () => {
  const dear = { parts: [say("One.")], usage: { input: 1_000_000, output: 1 } };
  const { asking, other, messages } = await rig([dear, dear, say("Never asked.")], [say("Without a price.")], {
    budget: { dollars: 6 },
  });
  const charged: string[] = [];
  const ask = async (text: string): Promise<void> => void charged.push((await asking.ask(text, never)).status);
  await ask("One?");
  asking.useCeiling(0.01);
  await ask("Two?");
  asking.useCeiling(6);
  await ask("Three?");
  asking.useModel(other());
  await ask("Four?");
  expect(charged).toEqual(["done", "dollar_budget", "done", "error"]);
  expect(messages.requests).toHaveLength(2);

  const usual = await rig([], [say("Without a price.")]);
  usual.asking.useModel(usual.other());
  usual.asking.useCeiling(1);
  expect((await usual.asking.ask("One?", never)).status).toBe("done");
});

test("one ceiling holds across models; one that was asked for refuses a model without a price", async () => {
  const dear = { parts: [say("One.")], usage: { input: 1_400_000, output: 1 } };
  const { asking, other, claude, chat, messages } = await rig([dear, say("Never asked.")], inBetween, {
    budget: { dollars: 6 },
  });
  expect((await asking.ask("One?", never)).status).toBe("done");
  asking.useModel(other());
  expect(await asking.ask("Two?", never)).toMatchObject({ status: "error", failure: { code: "E_NO_PRICE" } });
  asking.useModel(other(), { ...price, output: 1_000 });
  expect((await asking.ask("Three?", never)).status).toBe("dollar_budget");
  asking.useModel(claude);
  expect((await asking.ask("Four?", never)).status).toBe("done");
  expect([chat.requests.length, messages.requests.length]).toEqual([0, 2]);
});
