/**
 * A log read without the words of its messages: who spoke, and which tools were called. Most of what a long session said
 * gave way to notes, and to parse it takes longer than all else and more memory than there may be.
 */

import type { Event } from "../event.ts";
import { toolUsesOf, type Message } from "../message.ts";
import { isSealed } from "../seal.ts";
import { withoutOldest } from "./aside.ts";
import { linesOf, openForReading, typeOf } from "./lines.ts";
import { createTeller } from "./read.ts";
import type { IsServable } from "./served.ts";

/** Where a line stands; `line` counts from 1. */
export type Place = { line: number; at: number; bytes: number };
/** Where the messages stand whose words were left out. */
export type Places = WeakMap<Message, Place>;
/**
 * As a `LogLine`; without an event where a session could make nothing of it, and of a message the words are left out.
 * `sealed`: its checksum fits. Where the first line is, each later one that is not is `altered`.
 */
export type SkimmedLine = {
  place: Place;
  event: Event | undefined;
  altered?: true | undefined;
  sealed?: true | undefined;
};

type Said = Extract<Event, { type: "message" }>;

const head = /^\{"ms":\d+,"type":"message","message":\{"role":"(user|assistant)",/;
const headBytes = 80;
/** In a text its quotes would be escaped. */
const call = '"type":"tool_use"';

/**
 * The lines with events of the types that are wanted, one in memory at a time; each is checked as if it were read whole.
 * Throws Failure: E_LOG_UNREADABLE, E_NEWER_LOG.
 */
export async function* skimLog(
  file: string,
  wanted: ReadonlySet<string>,
  isServable: IsServable,
): AsyncGenerator<SkimmedLine> {
  const tell = createTeller();
  let line = 0;
  for await (const { at, bytes } of linesOf(file)) {
    line += 1;
    const place = { line, at, bytes: bytes?.length ?? 0 };
    const type = bytes === undefined ? undefined : typeOf(bytes);
    if (type !== undefined && !wanted.has(type)) continue;
    const message = type === "message" && bytes !== undefined ? outlineOn(bytes) : undefined;
    if (message !== undefined) {
      yield { place, event: { type: "message", message }, sealed: true };
      continue;
    }
    const told = tell(bytes);
    if (told === undefined) continue;
    const event = told.event !== undefined && isServable(told.event) ? told.event : undefined;
    const sealed = bytes !== undefined && isSealed(bytes) ? true : undefined;
    yield { ...told, place, sealed, event: event?.type === "message" ? outlineOf(event) : event };
  }
}

/**
 * The messages behind outlines, whole, the oldest results put aside; others are taken as they are. `unserved`: lines
 * of which a session could make nothing after all.
 */
export async function messagesOf(
  file: string,
  outlines: readonly Message[],
  places: Places,
  isServable: IsServable,
): Promise<{ messages: Message[]; unserved: number[] }> {
  await using log = await openForReading(file);
  const tell = createTeller();
  const trim = withoutOldest();
  const messages: Message[] = [];
  const unserved: number[] = [];

  async function messageAt({ at, bytes }: Place): Promise<Message | undefined> {
    const line = Buffer.allocUnsafe(bytes);
    const event = tell(line.subarray(0, await log.read(line, at)))?.event;
    return event?.type === "message" && isServable(event) ? event.message : undefined;
  }

  for (const outline of outlines) {
    const place = places.get(outline);
    const message = place === undefined ? outline : await messageAt(place);
    if (message === undefined && place !== undefined) unserved.push(place.line);
    if (message === undefined) continue;
    messages.push(message);
    trim(messages, message);
  }
  return { messages, unserved };
}

/** Undefined where only parsing can tell: the line was changed since it was written, or it calls tools. */
function outlineOn(line: Buffer): Message | undefined {
  const role = head.exec(line.toString("latin1", 0, headBytes))?.[1];
  if (role === undefined || !isSealed(line)) return undefined;
  if (role === "user") return { role, content: [] };
  return line.includes(call) ? undefined : { role: "assistant", content: [], origin: { provider: "", model: "" } };
}

function outlineOf({ type, message }: Said): Said {
  if (message.role === "user") return { type, message: { role: "user", content: [] } };
  const calls = toolUsesOf(message).map((call) => ({ ...call, input: undefined }));
  return { type, message: { ...message, content: calls } };
}
