import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Event } from "../event.ts";
import { policyGate } from "../gate/rules.ts";
import { anthropic } from "../model/anthropic.ts";
import { forkSession } from "../session/fork.ts";
import { openLog } from "../session/log.ts";
import { readPast } from "../session/past.ts";
import { startMessagesServer, type MessagesServer } from "../testing/messages-server/messages-server.ts";
import { call, reply, say, type ServerReply } from "../testing/messages-server/script.ts";
import { openAsk } from "./ask.ts";
import { again, makeFolder, traceBeside } from "./replay/recorder.testing.ts";
import type { AskedMore, RunBudget } from "./turns.ts";

type Steered = {
  status: string;
  answer: string;
  server: MessagesServer;
  events: readonly Event[];
  trace: string;
  /** What was said and not taken. */
  left: readonly string[];
};

/** What a person enters while a reply is on its way, by the number of the request, and the reply. */
type Moment = { enters?: readonly (string | AskedMore)[]; cancels?: true; reply: ServerReply };
type Given = { budget?: Partial<RunBudget>; onEvent?: (event: Event, cancel: () => void) => void };

async function steered(moments: readonly Moment[], { budget, onEvent }: Given = {}): Promise<Steered> {
  const root = makeFolder();
  const queue: AskedMore[] = [];
  const cancel = new AbortController();
  const server = await startMessagesServer({
    script(_, n) {
      const { enters = [], cancels, reply: said } = moments[n - 1] ?? { reply: say("Nothing is scripted.") };
      queue.push(...enters.map((one) => (typeof one === "string" ? { text: one } : one)));
      if (cancels === true) cancel.abort();
      return said;
    },
  });
  onTestFinished(() => server.close());
  const trace = traceBeside(root);
  const session = openLog({ id: "steered", file: trace });
  const events: Event[] = [];
  const asking = openAsk({
    root,
    gate: policyGate(),
    model: anthropic({ model: "claude-opus-5-5", apiKey: "test-key", baseUrl: server.url }),
    session,
    budget,
    steering: () => queue.splice(0),
    emit(event) {
      events.push(event);
      onEvent?.(event, () => cancel.abort());
    },
  });
  const { status, answer } = await asking.ask("Where is alpha?", cancel.signal);
  await asking.close();
  session.close();
  expect(server.rejections).toEqual([]);
  return { status, answer, server, events, trace, left: queue.map(({ text }) => text) };
}

/** The last message of a request: its texts, and its results by the call they answer. */
function lastOf(server: MessagesServer, request: number): unknown[] {
  const content = server.requests[request - 1]?.body.messages.at(-1)?.content ?? [];
  return content.map((block) => (block.type === "text" ? block["text"] : block["tool_use_id"]));
}

const told = (events: readonly Event[]): string[] =>
  events.flatMap((event) => (event.type === "steered" ? [event.text] : []));

async function expectReplayed({ trace }: Steered): Promise<void> {
  const { same, differences } = await again(trace);
  expect({ same, differences }).toEqual({ same: true, differences: [] });
}

test("what is entered while a turn runs goes in behind the results of the step, in order, each by itself", async () => {
  const run = await steered([
    { enters: ["Only in a.ts.", "And be brief."], reply: [call("read_file", { path: "a.ts" }, "t1")] },
    { reply: say("At a.ts:1.") },
  ]);
  expect(lastOf(run.server, 2)).toEqual(["t1", "Only in a.ts.", "And be brief."]);
  expect([run.status, run.answer, told(run.events)]).toEqual([
    "done",
    "At a.ts:1.",
    ["Only in a.ts.", "And be brief."],
  ]);
  const said = run.events.flatMap((event) =>
    event.type === "message" && event.message.role === "user" ? [event.message.content.map(({ type }) => type)] : [],
  );
  expect(said).toEqual([["text"], ["tool_result"], ["text"], ["text"]]);
  await expectReplayed(run);
});

test("a turn that was about to end goes on with what was entered, before it is checked", async () => {
  const run = await steered([
    { enters: ["And beta?"], reply: say("At gone.ts:1.") },
    { reply: say("At a.ts:1 and b.ts:1.") },
  ]);
  expect(lastOf(run.server, 2)).toEqual(["And beta?"]);
  expect([run.status, run.answer]).toEqual(["done", "At a.ts:1 and b.ts:1."]);
  expect(run.events.filter(({ type }) => type === "check")).toHaveLength(1);
  await expectReplayed(run);
});

test("what is entered while the answer is checked is not left behind", async () => {
  const late: AskedMore[] = [];
  const root = makeFolder();
  const server = await startMessagesServer({ script: [say("At a.ts:1."), say("At b.ts:1.")] });
  onTestFinished(() => server.close());
  const asking = openAsk({
    root,
    gate: policyGate(),
    model: anthropic({ model: "claude-opus-5-5", apiKey: "test-key", baseUrl: server.url }),
    session: openLog({ id: "late" }),
    steering: () => late.splice(0),
    emit(event) {
      if (event.type === "check" && server.requests.length === 1) late.push({ text: "And beta?" });
    },
  });
  onTestFinished(() => asking.close());
  expect(await asking.ask("Where is alpha?", new AbortController().signal)).toMatchObject({ answer: "At b.ts:1." });
  expect(lastOf(server, 2)).toEqual(["And beta?"]);
});

test("a reply that was cut is continued first", async () => {
  const run = await steered([
    { enters: ["And beta?"], reply: reply(say("At a.ts:1"), { stop: "max_tokens" }) },
    { reply: say(", that is all.") },
    { reply: say("At b.ts:1.") },
  ]);
  expect(lastOf(run.server, 2)).toEqual([expect.stringContaining("cut at the output limit")]);
  expect(lastOf(run.server, 3)).toEqual(["And beta?"]);
  await expectReplayed(run);
});

test("files named in it go with it, with their lines shown, and what is refused is told", async () => {
  const run = await steered([
    {
      enters: [
        { text: "See @b.ts and @.env", attachments: { mentions: ["b.ts", ".env"] } },
        { text: "And this", attachments: { texts: [{ name: "the clipboard", text: "x = 1" }] } },
      ],
      reply: [call("read_file", { path: "a.ts" }, "t1")],
    },
    { reply: say("`beta` is at b.ts:1.") },
  ]);
  expect(lastOf(run.server, 2)).toEqual([
    "t1",
    "See @b.ts and @.env",
    expect.stringContaining("export const beta"),
    expect.stringContaining("is not"),
    "And this",
    expect.stringContaining("x = 1"),
  ]);
  expect(run.events.flatMap((event) => (event.type === "citation" ? [`${event.ref} ${event.state}`] : []))).toEqual([
    "b.ts:1 verified",
  ]);
  await expectReplayed(run);
});

test("at the last step nothing more is taken: it is left for the next turn", async () => {
  const budget = { steps: 1 };
  const run = await steered([{ enters: ["And beta?"], reply: call("read_file", { path: "a.ts" }) }], { budget });
  expect([run.status, told(run.events), run.left]).toEqual(["max_turns", [], ["And beta?"]]);
  const answered = await steered([{ enters: ["And beta?"], reply: say("At a.ts:1.") }], { budget });
  expect([answered.status, told(answered.events), answered.left]).toEqual(["done", [], ["And beta?"]]);
});

test("a turn that is cancelled takes nothing more", async () => {
  const run = await steered([{ enters: ["And beta?"], cancels: true, reply: say("At a.ts:1.") }]);
  expect([run.status, told(run.events), run.left]).toEqual(["cancelled", [], ["And beta?"]]);
  await expectReplayed(run);
});

test("cancelled at the moment at which it is taken, it is in the session, and the turn ends", async () => {
  const onEvent = (event: Event, cancel: () => void): void => {
    if (event.type === "steered") cancel();
  };
  const moments = [{ enters: ["One @b.ts", "Two"], reply: [call("read_file", { path: "a.ts" }, "t1")] }];
  const run = await steered(moments, { onEvent });
  expect([run.status, run.server.requests.length]).toEqual(["cancelled", 1]);
  const past = await readPast(run.trace);
  expect(past.messages.slice(-2).map(({ content }) => content)).toEqual([
    [{ type: "text", text: "One @b.ts" }],
    [{ type: "text", text: "Two" }],
  ]);
  await expectReplayed(run);
});

test("a session that goes on, and a copy of it, have what was said in the middle of a turn", async () => {
  const run = await steered([
    { enters: ["Only in a.ts."], reply: [call("read_file", { path: "a.ts" }, "t1")] },
    { reply: say("At a.ts:1.") },
  ]);
  const copy = `${run.trace}.copy.jsonl`;
  await forkSession(run.trace, copy);
  for (const file of [run.trace, copy]) {
    const { messages } = await readPast(file);
    expect(messages[3]).toEqual({ role: "user", content: [{ type: "text", text: "Only in a.ts." }] });
  }
});

test("a replay tells a word that was changed in the trace", async () => {
  const run = await steered([{ enters: ["And beta?"], reply: say("At a.ts:1.") }, { reply: say("At b.ts:1.") }]);
  const text = readFileSync(run.trace, "utf8");
  const forged = join(run.trace, "../forged.jsonl");
  writeFileSync(forged, text.replace('{"type":"text","text":"And beta?"}', '{"type":"text","text":"And gamma?"}'));
  expect((await again(forged)).differences).toHaveLength(1);
});
