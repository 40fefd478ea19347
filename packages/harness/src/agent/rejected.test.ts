import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Failure } from "../error.ts";
import type { Event } from "../event.ts";
import { policyGate } from "../gate/rules.ts";
import type { Message } from "../message.ts";
import { anthropic } from "../model/anthropic.ts";
import { chatCompletions } from "../model/chat-completions.ts";
import { placeNamedBy } from "../model/named-place.ts";
import { openAsk, type Asking } from "../preset/ask.ts";
import { openLog } from "../session/log.ts";
import { startChatServer } from "../testing/chat-server/chat-server.ts";
import { httpError as chatError } from "../testing/chat-server/script.ts";
import { startMessagesServer, type MessagesServer } from "../testing/messages-server/messages-server.ts";
import { call, httpError, say, type ServerReply } from "../testing/messages-server/script.ts";
import { markOf, refusedIn, withoutRejected } from "./rejected.ts";

const origin = { provider: "p", model: "m" };
const thought = { type: "opaque" as const, raw: { type: "thinking", thinking: "Hm." } };
const picture = { type: "image" as const, mediaType: "image/png", base64: "AAAA" };
const messages: readonly Message[] = [
  { role: "user", content: [{ type: "text", text: "Go." }, picture] },
  { role: "assistant", origin, content: [thought, { type: "tool_use", id: "t1", name: "read", input: {} }] },
  {
    role: "user",
    content: [
      { type: "tool_result", toolUseId: "t1", content: [{ type: "text", text: "One." }], isError: false },
      { type: "text", text: "And?" },
    ],
  },
];

function rejecting(message: number, block: number): readonly Message[] {
  return withoutRejected(messages, new Set(refusedIn(messages, { message, blocks: [block] }).map(markOf)));
}

describe("a block that a service refuses", () => {
  test("gives way to a note, and all others stay the same", () => {
    const note = { type: "text", text: "(An image stood here. The service refused it, so it was left out.)" };
    expect(rejecting(0, 1)).toEqual([{ role: "user", content: [messages[0]?.content[0], note] }, ...messages.slice(1)]);
  });

  test("that is a result stays the answer to its call", () => {
    const [result, text] = messages[2]?.content ?? [];
    const note = {
      type: "text",
      text: "(The result of a call stood here. The service refused it, so it was left out.)",
    };
    expect(rejecting(2, 0)[2]).toEqual({ role: "user", content: [{ ...result, content: [note] }, text] });
  });

  test("that is a call is told as text, and what it came to as well", () => {
    const note = { type: "text", text: "(A call of a tool stood here. The service refused it, so it was left out.)" };
    expect(rejecting(1, 1).slice(1)).toEqual([
      { role: "assistant", origin, content: [thought, note] },
      {
        role: "user",
        content: [
          { type: "text", text: "One." },
          { type: "text", text: "And?" },
        ],
      },
    ]);
  });

  test("that is thinking takes all thinking with it, and a message that held nothing else", () => {
    const more: readonly Message[] = [
      ...messages,
      { role: "assistant", origin, content: [{ ...thought, raw: "Other." }] },
    ];
    const marks = new Set(refusedIn(more, { message: 1, blocks: [0] }).map(markOf));
    expect(withoutRejected(more, marks)).toEqual([
      messages[0],
      { role: "assistant", origin, content: [messages[1]?.content[1]] },
      messages[2],
    ]);
  });

  test("is none where the service names a place that is not there", () => {
    expect(refusedIn(messages, { message: 9, blocks: [0] })).toEqual([]);
    expect(refusedIn(messages, { message: 0, blocks: [9] })).toEqual([]);
  });
});

test.each([
  ["messages.3.content.1.image.source.base64: wrong", { message: 3, part: 1 }],
  ["messages.0.content.5: Invalid `signature` in `thinking` block", { message: 0, part: 5 }],
  ["Invalid 'messages[2].content[1].image_url'.", { message: 2, part: 1 }],
  ["Invalid type for 'messages[2].content': expected a string", { message: 2, part: undefined }],
  ["messages.1: `tool_use` ids were found without `tool_result` blocks", undefined],
  ["max_tokens: too many", undefined],
])("%s", (said, place) => {
  expect(placeNamedBy(new Failure("E_BAD_REQUEST", `The service rejected the request (HTTP 400): ${said}`))).toEqual(
    place,
  );
  expect(placeNamedBy(new Failure("E_SERVER", said))).toBeUndefined();
});

const never = new AbortController().signal;

function project(): string {
  const root = mkdtempSync(join(tmpdir(), "croft-rejected-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, "a.ts"), "export const a = 1;\n");
  return root;
}

/** What is told of refused blocks, and how the turns ended. */
function outline(events: readonly Event[]): string[] {
  return events.flatMap((event) => {
    if (event.type === "rejected") return [`rejected ${event.what}`];
    return event.type === "stop" ? [`${event.status} after ${event.steps}`] : [];
  });
}

function askingOf({ url }: MessagesServer): { asking: Asking; events: Event[] } {
  const events: Event[] = [];
  const model = anthropic({ model: "claude-opus-5-5", apiKey: "test-key", baseUrl: url });
  const session = openLog({ id: "test" });
  const asking = openAsk({ root: project(), gate: policyGate(), model, session, emit: (event) => events.push(event) });
  onTestFinished(() => asking.close());
  return { asking, events };
}

test("the request is made once more without it, and it stays out of those that follow", async () => {
  const refusal = httpError(400, "messages.2.content.0: not valid");
  const server = await startMessagesServer({
    script: [call("read_file", { path: "a.ts" }, "t1"), refusal, say("One."), say("Two.")],
  });
  onTestFinished(() => server.close());
  const { asking, events } = askingOf(server);
  await asking.ask("First?", never);
  await asking.ask("Second?", never);
  expect(outline(events)).toEqual(["rejected tool_result", "done after 3", "done after 1"]);
  const results = server.requests.slice(1).map(({ body }) => JSON.stringify(body.messages[2]).includes("stood here"));
  expect([results, server.rejections]).toEqual([[false, true, true], []]);
});

test("a service that refuses one block after the other is asked four times, no more", async () => {
  const script = ({ messages: sent }: { messages: unknown[] }): ServerReply =>
    httpError(400, `messages.${sent.length - 1}.content.0: not valid`);
  const server = await startMessagesServer({ script });
  onTestFinished(() => server.close());
  const { asking, events } = askingOf(server);
  await asking.ask("First?", never);
  expect([outline(events), server.requests.length]).toEqual([
    ["rejected text", "rejected text", "rejected text", "error after 4"],
    4,
  ]);
});

test("over Chat Completions places are those of the body: a system prompt first, each result a message", async () => {
  const refusal = chatError(400, "Invalid 'messages[4].content': not valid");
  const reads = [call("read_file", { path: "a.ts" }, "t1"), call("list_files", {}, "t2")];
  const server = await startChatServer({ script: [reads, refusal, say("One.")] });
  onTestFinished(() => server.close());
  const events: Event[] = [];
  const model = chatCompletions({ provider: "test", model: "test", apiKey: "test-key", baseUrl: server.url });
  const session = openLog({ id: "test" });
  const asking = openAsk({ root: project(), gate: policyGate(), model, session, emit: (event) => events.push(event) });
  onTestFinished(() => asking.close());
  await asking.ask("First?", never);
  expect(outline(events)).toEqual(["rejected tool_result", "done after 3"]);
  const told = server.requests[2]?.body.messages.map(({ role, content }) => [
    role,
    JSON.stringify(content).includes("stood here"),
  ]);
  expect(told).toEqual([
    ["system", false],
    ["user", false],
    ["assistant", false],
    ["tool", false],
    ["tool", true],
  ]);
});
