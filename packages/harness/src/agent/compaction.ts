/**
 * Compaction: before a request would no longer fit, the first part of the session gives way to notes that the model
 * itself makes of it. The log keeps everything; what was replaced is an event of its own, which a session is folded with.
 */

import type { FailureData } from "../error.ts";
import type { Event } from "../event.ts";
import { fromHarness, textOf, type Message, type UserMessage } from "../message.ts";
import { failureIn, type Delta, type ModelRequest, type Reply } from "../model/model.ts";
import words from "./compaction.md";
import { cutAt } from "./cut-at.ts";
import { fitted } from "./fit.ts";
import { keptOf } from "./kept.ts";
import { bytesOf, fixedBytes, tokensIn, type Counted } from "./prompt-size.ts";
import { requestFor } from "./request.ts";
import type { RunningTurn } from "./turn.ts";

type Compaction = Extract<Event, { type: "compaction" }>;

/** Of the context, what a request and the room for its reply may take. */
const share = 0.9;
/** Of the context at most, what is left free for a reply. */
const replyShare = 0.25;
/** Bytes of a session, which is sent and held in memory whole: services refuse requests of more than 32 MB. */
const mostBytes = 8_000_000;
/** Tokens of the notes, which include what a model thinks before it writes. */
const notesTokens = 16_000;
/** Bytes that have to come free: for less it is not worth it to ask. */
const worthwhile = 4_000;
/** Requests for the same notes, each for a half of what the one before held, as long as they do not fit. */
const attempts = 3;
/** Better than a session that cannot be gone on with: the task, the files and the latest exchanges are there. */
const noNotes = "(You made none.)";

/** A request that may be made, or why the turn ends; without a failure it is exhausted. */
export type Room = { request: ModelRequest; bytes: number } | { failure: FailureData | undefined };

/**
 * The next request, once there is room for it. It is made room for once: if the request still does not fit, the turn is
 * over.
 */
export async function makeRoom(turn: RunningTurn): Promise<Room> {
  const before = measured(turn);
  if (!isFull(before, turn)) return before;
  const event = await compacted(before, turn);
  if (event === undefined) return before.known ? { failure: full(before, turn) } : before;
  if (event.replaced === undefined) return { failure: failureOf(event, before, turn) };
  turn.fit = "compacted";
  if (turn.exhausted() !== undefined) return { failure: undefined };
  const after = measured(turn);
  return before.known && isFull(after, turn) ? { failure: full(after, turn) } : after;
}

/** `known`: a service has counted, or refused; all else is a guess, on which no turn is ended. */
type Measured = { request: ModelRequest; bytes: number; fixed: number; tokens: number; known: boolean };

function measured(turn: RunningTurn): Measured {
  const { session, options, start } = turn;
  const request = requestFor(session.messages, start, options);
  const fixed = fixedBytes(request);
  const bytes = fixed + bytesOf(request.messages);
  turn.counted ??= countedBefore(fixed, turn);
  const tokens = tokensIn(bytes, turn.counted);
  return { request, bytes, fixed, tokens, known: turn.counted !== undefined || turn.fit === "refused" };
}

/** What was counted in an earlier turn. */
function countedBefore(fixed: number, { session, options, start }: RunningTurn): Counted | undefined {
  if (session.counted === undefined) return undefined;
  const { tokens, messages } = session.counted;
  if (tokens > options.model.context) return undefined;
  const { messages: view } = requestFor(session.messages.slice(0, messages), start, options);
  return { tokens, bytes: fixed + bytesOf(view) };
}

function isFull({ tokens }: Measured, { fit, options, session }: RunningTurn): boolean {
  const { context } = options.model;
  const reply = Math.min(options.maxTokens, context * replyShare);
  return fit === "refused" || tokens + reply > context * share || bytesOf(session.messages) > mostBytes;
}

/** Undefined: there is nothing that could be left out. */
async function compacted(before: Measured, turn: RunningTurn): Promise<Compaction | undefined> {
  const { session, options } = turn;
  const { messages } = session;
  // What was refused as too long tells more of the context than what is said of the model.
  const refused = turn.fit === "refused";
  const context = refused ? Math.min(options.model.context, before.tokens) : options.model.context;
  const tokensOfByte = before.tokens / before.bytes;
  const room = (context * share * (1 - replyShare)) / tokensOfByte - before.fixed;
  if (room <= 0) return undefined;
  const most = Math.min(mostBytes, room) / 4;
  const upTo = cutAt(messages, most) ?? cutAt(messages, 2 * most) ?? messages.length;
  const gone = messages.slice(0, upTo);
  const kept = (notes: string): UserMessage => keptOf(gone, notes, { ledger: options.ledger, most });
  const frees = (by: UserMessage): boolean => bytesOf(gone) - bytesOf([by]) > Math.max(worthwhile, most / 4);
  if (!frees(kept(""))) return undefined;

  const maxTokens = Math.ceil(Math.min(options.maxTokens, notesTokens, context * (1 - share)));
  let fits = refused ? before.bytes / 2 : (context * share - maxTokens) / tokensOfByte;
  for (let attempt = 1; ; attempt += 1) {
    const view = fitted(before.request.messages, Math.max(0, fits - before.fixed));
    const reply = await asked({ ...before.request, messages: withWords(view), maxTokens }, turn);
    const notes = textOf(reply.message).trim();
    const came = reply.stop !== "aborted" && !isTooLong(reply.stop) && failureIn(reply.stop) === undefined;
    const by = kept(notes === "" ? noNotes : notes);
    const event = turn.compact({
      notes,
      usage: reply.usage,
      stop: reply.stop,
      replaced: came && frees(by) ? { upTo, by } : undefined,
    });
    if (!isTooLong(reply.stop) || attempt === attempts || turn.exhausted() !== undefined) return event;
    fits = Math.min(fits, before.bytes) / 2;
  }
}

/** The same beginning as any request of the session, so that it is read from the provider's cache. */
function withWords(view: readonly Message[]): Message[] {
  const word = fromHarness(words);
  const last = view.at(-1);
  if (last?.role !== "user") return [...view, { role: "user", content: [word] }];
  return [...view.slice(0, -1), { role: "user", content: [...last.content, word] }];
}

/** Notes are no answer: of what streams, only progress and notices are passed on. */
function asked(request: ModelRequest, turn: RunningTurn): Promise<Reply> {
  const sink = (delta: Delta): void => {
    if (delta.type === "notice") turn.record(delta);
    if (delta.type === "progress" || delta.type === "discard") turn.record({ type: "delta", delta });
  };
  return turn.options.model.respond(request, sink, turn.signal);
}

/** Whether a service says that the conversation does not fit. */
export function isTooLong(stop: Reply["stop"]): boolean {
  return stop === "context_full" || failureIn(stop)?.code === "E_CONTEXT_FULL";
}

function failureOf({ stop }: Compaction, before: Measured, turn: RunningTurn): FailureData | undefined {
  if (stop === "aborted" || turn.exhausted() !== undefined) return undefined;
  const failed = failureIn(stop);
  return failed === undefined || isTooLong(stop) ? full(before, turn) : failed.toJSON();
}

function full({ fixed, bytes, tokens }: Measured, { options }: RunningTurn): FailureData {
  const overhead = Math.round((fixed * tokens) / bytes);
  return {
    code: "E_CONTEXT_FULL",
    message:
      `The conversation does not fit into the model's context of ${options.model.context} tokens: ` +
      `system prompt and tools alone take about ${overhead}.`,
    remedy: "Ask for less at once, shorten the memory files, or use a model with a larger context.",
  };
}
