/**
 * Compaction: before a request would no longer fit, the first part of the session gives way to notes that the model
 * itself makes of it. The log keeps everything; what was replaced is an event of its own, which a session is folded with.
 */

import type { FailureData } from "../error.ts";
import type { Event } from "../event.ts";
import type { UserMessage } from "../message.ts";
import { failureIn, type ModelRequest } from "../model/model.ts";
import { cutAt } from "./cut-at.ts";
import { keptOf } from "./kept.ts";
import { isTooLong, makeNotes, type Exchanged } from "./notes.ts";
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
  const { session } = turn;
  const request = requestFor(session.messages, turn);
  const fixed = fixedBytes(request);
  const bytes = fixed + bytesOf(request.messages);
  turn.counted ??= countedBefore(fixed, turn);
  const tokens = tokensIn(bytes, turn.counted);
  return { request, bytes, fixed, tokens, known: turn.counted !== undefined || turn.fit === "refused" };
}

/** What was counted in an earlier turn. */
function countedBefore(fixed: number, turn: RunningTurn): Counted | undefined {
  const { session, options } = turn;
  if (session.counted === undefined) return undefined;
  const { tokens, messages } = session.counted;
  if (tokens > options.model.context) return undefined;
  const { messages: view } = requestFor(session.messages.slice(0, messages), turn);
  return { tokens, bytes: fixed + bytesOf(view) };
}

function isFull({ tokens }: Measured, { fit, options, session }: RunningTurn): boolean {
  const { context } = options.model;
  const reply = Math.min(options.maxTokens, context * replyShare);
  return fit === "refused" || tokens + reply > context * share || bytesOf(session.messages) > mostBytes;
}

/** Undefined: there is nothing that could be left out. */
async function compacted(before: Measured, turn: RunningTurn): Promise<Compaction | undefined> {
  // What was refused as too long tells more of the context than what is said of the model.
  const refused = turn.fit === "refused";
  const { maxTokens: asked, model } = turn.options;
  const context = refused ? Math.min(model.context, before.tokens) : model.context;
  const bytesIn = (tokens: number): number => (tokens * before.bytes) / before.tokens;
  const exchanged = exchangedFor(bytesIn(context * share * (1 - replyShare)) - before.fixed, turn);
  if (exchanged === undefined) return undefined;
  const maxTokens = Math.ceil(Math.min(asked, notesTokens, context * (1 - share)));
  const fits = refused ? before.bytes / 2 : bytesIn(context * share - maxTokens);
  return makeNotes({ ...before.request, maxTokens }, exchanged, fits, turn);
}

/** `room`: bytes that all of the session may have. The latest exchanges stay, a quarter of that or a half. */
function exchangedFor(room: number, { session, options }: RunningTurn): Exchanged | undefined {
  if (room <= 0) return undefined;
  const { messages } = session;
  const most = Math.min(mostBytes, room) / 4;
  const upTo = cutAt(messages, most) ?? cutAt(messages, 2 * most) ?? messages.length;
  const gone = messages.slice(0, upTo);
  const keptWith = (notes: string): UserMessage =>
    keptOf(gone, notes, { ledger: options.ledger, todos: session.todos, most });
  const frees = (by: UserMessage): boolean => bytesOf(gone) - bytesOf([by]) > Math.max(worthwhile, most / 4);
  return frees(keptWith("")) ? { upTo, keptWith, frees } : undefined;
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
