/**
 * Compaction: before a request would no longer fit, the first part of the session gives way to notes that the model
 * itself makes of it. The log keeps everything; what was replaced is an event of its own, which a session is folded with.
 */

import type { FailureData } from "../error.ts";
import type { UserMessage } from "../message.ts";
import { failureIn, type ModelRequest } from "../model/model.ts";
import type { AgentOptions } from "./agent.ts";
import { cutAt } from "./cut-at.ts";
import { keptOf } from "./kept.ts";
import { isTooLong, makeNotes, type Exchanged } from "./notes.ts";
import { bytesOf, fixedBytes, tokensIn, type Counted } from "./prompt-size.ts";
import { requestFor } from "./request.ts";
import type { Compacting, Compaction, RunningTurn } from "./turn.ts";

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

/**
 * Makes room whether it is needed or not: three quarters of what was said give way. Undefined: that is too little. The
 * tokens are estimates of the request before and after.
 */
export async function compactNow(
  turn: Compacting,
): Promise<{ event: Compaction; tokens: { before: number; after: number } } | undefined> {
  const before = measured(turn);
  const event = await compacted(before, turn, bytesOf(turn.session.messages));
  if (event === undefined) return undefined;
  turn.counted = { tokens: before.tokens, bytes: before.bytes };
  return { event, tokens: { before: Math.round(before.tokens), after: Math.round(measured(turn).tokens) } };
}

/** `known`: a service has counted, or refused; all else is a guess, on which no turn is ended. */
type Measured = { request: ModelRequest; bytes: number; fixed: number; tokens: number; known: boolean };

function measured(turn: Compacting): Measured {
  const { session } = turn;
  const request = requestFor(session.messages, turn);
  const fixed = fixedBytes(request);
  const bytes = fixed + bytesOf(request.messages);
  turn.counted ??= countedBefore(fixed, turn);
  const tokens = tokensIn(bytes, turn.counted);
  return { request, bytes, fixed, tokens, known: turn.counted !== undefined || turn.fit === "refused" };
}

/** What a service counted last of the session. `fixed`: bytes of system prompt and tools. */
export function countedBefore(
  fixed: number,
  turn: Pick<Compacting, "options" | "session" | "start">,
): Counted | undefined {
  const { session, options } = turn;
  if (session.counted === undefined) return undefined;
  const { tokens, messages } = session.counted;
  if (tokens > options.model.context) return undefined;
  const { messages: view } = requestFor(session.messages.slice(0, messages), turn);
  return { tokens, bytes: fixed + bytesOf(view) };
}

/** Tokens that a request may have at most, with its reply still to come. */
export function fullAt({ model: { context }, maxTokens }: Pick<AgentOptions, "model" | "maxTokens">): number {
  return context * share - Math.min(maxTokens, context * replyShare);
}

function isFull({ tokens }: Measured, { fit, options, session }: Compacting): boolean {
  return fit === "refused" || tokens > fullAt(options) || bytesOf(session.messages) > mostBytes;
}

/**
 * Undefined: there is nothing that could be left out. `most`: bytes that what was said may take in the end, and what
 * stands for it.
 */
async function compacted(before: Measured, turn: Compacting, most = Infinity): Promise<Compaction | undefined> {
  // What was refused as too long tells more of the context than what is said of the model.
  const refused = turn.fit === "refused";
  const { maxTokens: asked, model } = turn.options;
  const context = refused ? Math.min(model.context, before.tokens) : model.context;
  const bytesIn = (tokens: number): number => (tokens * before.bytes) / before.tokens;
  const room = bytesIn(context * share * (1 - replyShare)) - before.fixed;
  const exchanged = exchangedFor(Math.min(room, most), turn);
  if (exchanged === undefined) return undefined;
  const maxTokens = Math.ceil(Math.min(asked, notesTokens, context * (1 - share)));
  const fits = refused ? before.bytes / 2 : bytesIn(context * share - maxTokens);
  return makeNotes({ ...before.request, maxTokens }, exchanged, fits, turn);
}

/** `room`: bytes that all of the session may have. The latest exchanges stay, a quarter of that or a half. */
function exchangedFor(room: number, { session, options }: Compacting): Exchanged | undefined {
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
