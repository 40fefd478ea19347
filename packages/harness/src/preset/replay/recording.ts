/**
 * What a recorded turn got from outside: the replies of the model, the results of its calls, the lines its checks read.
 */

import type { Attachment } from "../../agent/agent.ts";
import { viewOf, type Recipient } from "../../agent/context.ts";
import { asText } from "../../agent/run-tools.ts";
import { Failure } from "../../error.ts";
import type { Event, Inner } from "../../event.ts";
import { type AssistantMessage, type Message, originOf, type ToolResultBlock, toolUsesOf } from "../../message.ts";
import type { Reply, Stop } from "../../model/model.ts";
import type { Exchange } from "../../model/recorded.ts";
import { createFold, type Fold } from "../../session/fold.ts";
import type { TracedEvent, TracedTurn } from "../../session/trace.ts";
import type { ToolResult } from "../../tool/tool.ts";

type Of<Type extends Event["type"]> = Extract<Event, { type: Type }>;

/** Where in the trace the result of a call stands, and in the turn: the number of requests made by then. */
type Place = { line: number; step: number };
/** A call, what was told of an agent that worked inside it, and what came of it. */
export type RecordedCall = Place & {
  name: string;
  input: unknown;
  inner: readonly Inner[];
  ok: boolean;
  result: ToolResult;
};

/** The events of a turn that can be played again: where the trace was cut off, those whose cause is in it as well. */
export function playable({ events, whole }: TracedTurn): readonly TracedEvent[] {
  if (whole) return events;
  const last = events.findLastIndex(({ event }) => event.type === "message");
  const message = messageOf(events[last]?.event);
  const isAnswer = message?.role === "assistant" && toolUsesOf(message).length === 0;
  return isAnswer ? events : events.slice(0, last + 1);
}

/** What the events of earlier turns come to. */
export function foldOf(events: readonly TracedEvent[]): Fold {
  const fold = createFold();
  for (const { event } of events) fold.take(event);
  fold.answerOpenCalls();
  return fold;
}

/**
 * The requests of a turn, as the loop would make them after `earlier`, and their replies. What a request for notes
 * holds is not compared: what comes of it is, and the request that follows.
 */
export function exchangesIn(
  events: readonly TracedEvent[],
  earlier: Fold,
  recipient: Omit<Recipient, "turnStart" | "rejected" | "offered">,
): Exchange[] {
  const exchanges: Exchange[] = [];
  let messages = [...earlier.messages];
  let turnStart = messages.length;
  const rejected = [...earlier.rejected];
  /** Made when it is asked for: all together would be as many as the steps squared. */
  const viewLater = (): (() => Message[]) => {
    const [now, count, start, refused] = [messages, messages.length, turnStart, rejected.length];
    return () =>
      viewOf(now.slice(0, count), {
        ...recipient,
        turnStart: start,
        offered: earlier.offered,
        rejected: new Set(rejected.slice(0, refused)),
      });
  };
  let notices: Of<"notice">[] = [];
  for (const [index, { event }] of events.entries()) {
    if (event.type === "notice") notices.push(event);
    if (event.type === "message") {
      messages.push(event.message);
      notices = []; // those of a tool
    }
    if (event.type === "rejected") rejected.push(event.block);
    if (event.type === "compaction") {
      const message = {
        role: "assistant" as const,
        content: textBlock(event.notes),
        origin: originOf(recipient.model),
      };
      const reply = { message, usage: event.usage, stop: revived(event.stop), badInputs: new Map() };
      exchanges.push({ messages: [], unchecked: true, notices, reply });
      notices = [];
      if (event.replaced === undefined) continue;
      const { upTo, by } = event.replaced;
      messages = [by, ...messages.slice(upTo)];
      turnStart = Math.max(1, turnStart - upTo + 1);
    }
    if (event.type === "step") {
      const view = viewLater();
      const next = events[index + (events[index + 1]?.event.type === "interrupted" ? 2 : 1)]?.event;
      exchanges.push({
        get messages() {
          return view();
        },
        notices,
        reply: replyOf(event, messageOf(next), recipient.model),
      });
      notices = [];
    }
  }
  return exchanges;
}

/** The calls that were answered, in order. */
export function callsIn(events: readonly TracedEvent[]): RecordedCall[] {
  const recorded: RecordedCall[] = [];
  let calls: Of<"tool_call">[] = [];
  let results: (Place & { event: Of<"tool_result"> })[] = [];
  let explored: Of<"explored">[] = [];
  let step = 0;
  for (const { line, event } of events) {
    if (event.type === "step") step += 1;
    if (event.type === "tool_call") calls.push(event);
    if (event.type === "explored") explored.push(event);
    if (event.type === "tool_result") results.push({ line, step, event });
    if (event.type !== "message" || event.message.role !== "user") continue;
    const blocks = event.message.content.filter((block): block is ToolResultBlock => block.type === "tool_result");
    for (const [index, block] of blocks.entries()) {
      const call = calls[index];
      const result = results[index];
      if (call === undefined || result === undefined) continue;
      const inner = explored.filter(({ id }) => id === call.id).map(({ event }) => event);
      recorded.push({ ...callOf(call, result, block), inner });
    }
    calls = [];
    results = [];
    explored = [];
  }
  return recorded;
}

/**
 * What went with the task, then what went with each message of the user in the middle of the turn; the message behind an
 * attachment holds it, if it holds anything.
 */
export function attachmentsIn(events: readonly TracedEvent[]): Attachment[][] {
  const attached: Attachment[][] = [[]];
  for (const [index, { event }] of events.entries()) {
    if (event.type === "steered") attached.push([]);
    if (event.type !== "attachment") continue;
    const { name, ok, preview, shown, chars } = event;
    const said = chars === 0 ? [] : (messageOf(events[index + 1]?.event)?.content ?? []);
    const content = said.filter((block) => block.type === "text" || block.type === "image");
    attached.at(-1)?.push({ name, ok, preview, content, shown });
  }
  return attached;
}

function messageOf(event: Event | undefined): Message | undefined {
  return event?.type === "message" ? event.message : undefined;
}

function replyOf(
  { usage, stop, badInputs = {}, partial = "" }: Of<"step">,
  next: Message | undefined,
  model: string,
): Reply {
  const message =
    next?.role === "assistant"
      ? next
      : { role: "assistant" as const, content: textBlock(partial), origin: originOf(model) };
  return { message, usage, stop: revived(stop), badInputs: new Map(Object.entries(badInputs)) };
}

function textBlock(text: string): AssistantMessage["content"] {
  return text === "" ? [] : [{ type: "text", text }];
}

/** A log keeps of a Failure its data alone. */
function revived(stop: Stop): Stop {
  if (typeof stop === "string" || !("failed" in stop)) return stop;
  const { code, message, remedy } = stop.failed;
  return { ...stop, failed: new Failure(code, message, { remedy }) };
}

function callOf(
  { name, input }: Of<"tool_call">,
  { line, step, event: { ok, chars, shown, landed, details } }: Place & { event: Of<"tool_result"> },
  { content }: ToolResultBlock,
): Omit<RecordedCall, "inner"> {
  // The guard adds its warning to the block, and will again; `chars` does not count it.
  const bare = content.slice(0, -1);
  const isWarned = asText(content).length > chars && asText(bare).length === chars;
  return { line, step, name, input, ok, result: { content: isWarned ? bare : content, shown, landed, details } };
}
