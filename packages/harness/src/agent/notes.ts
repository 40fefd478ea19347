/** The model's notes on what is about to be left out of a session. */

import { fromHarness, textOf, type Message, type UserMessage } from "../message.ts";
import { failureIn, type Delta, type ModelRequest, type Reply } from "../model/model.ts";
import words from "./notes.md";
import { fitted } from "./fit.ts";
import { bytesOf, fixedBytes } from "./prompt-size.ts";
import type { Compacting, Compaction } from "./turn.ts";

/** What gives way, and what stands for it once there are notes. */
export type Exchanged = {
  upTo: number;
  keptWith: (notes: string) => UserMessage;
  /** Whether it is shorter with this message in its place, by enough. */
  frees: (by: UserMessage) => boolean;
};

/** Requests for the same notes, each for a half of what the one before held, as long as they do not fit. */
const attempts = 3;
/** Better than a session that cannot be gone on with: the task, the files and the latest exchanges are there. */
const noNotes = "(You made none.)";

/**
 * Asks for notes on a request, with the same beginning as any other of the session, so that it is read from the
 * provider's cache. `fits`: bytes it may have. Each attempt is recorded; the last one tells what came of it.
 */
export async function makeNotes(
  request: ModelRequest,
  { upTo, keptWith, frees }: Exchanged,
  fits: number,
  turn: Compacting,
): Promise<Compaction> {
  const fixed = fixedBytes(request);
  let room = Math.min(fits, fixed + bytesOf(request.messages));
  for (let attempt = 1; ; attempt += 1) {
    const view = fitted(request.messages, Math.max(0, room - fixed));
    const { message, usage, stop } = await asked({ ...request, messages: withWords(view) }, turn);
    // What is said with a refusal is about the request, and no note of what was done.
    const notes = stop === "refusal" ? "" : textOf(message).trim();
    const by = keptWith(notes === "" ? noNotes : notes);
    const came = stop !== "aborted" && failureIn(stop) === undefined && !isTooLong(stop);
    const event = turn.compact({ notes, usage, stop, replaced: came && frees(by) ? { upTo, by } : undefined });
    if (!isTooLong(stop) || attempt === attempts || turn.exhausted() !== undefined) return event;
    room /= 2;
  }
}

/** Whether a service says that the conversation does not fit. */
export function isTooLong(stop: Reply["stop"]): boolean {
  return stop === "context_full" || failureIn(stop)?.code === "E_CONTEXT_FULL";
}

function withWords(view: readonly Message[]): Message[] {
  const word = fromHarness(words);
  const last = view.at(-1);
  if (last?.role !== "user") return [...view, { role: "user", content: [word] }];
  return [...view.slice(0, -1), { role: "user", content: [...last.content, word] }];
}

/** Notes are no answer: of what streams, only progress and notices are passed on. */
function asked(request: ModelRequest, turn: Compacting): Promise<Reply> {
  const sink = (delta: Delta): void => {
    if (delta.type === "notice") turn.record(delta);
    if (delta.type === "progress" || delta.type === "discard") turn.record({ type: "delta", delta });
  };
  return turn.options.model.respond(request, sink, turn.signal);
}
