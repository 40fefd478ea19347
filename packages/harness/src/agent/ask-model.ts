/** One step: the view of the session goes to the model, its reply into the session. */

import { Failure, type FailureData } from "../error.ts";
import type { Status } from "../event.ts";
import { textOf, toolUsesOf, type Message, type ToolUseBlock } from "../message.ts";
import { failureIn, isUnsent, type Delta, type Reply, type Stop } from "../model/model.ts";
import { makeRoom } from "./compaction.ts";
import { isTooLong } from "./notes.ts";
import { markOf, refusedIn } from "./rejected.ts";
import type { RunningTurn } from "./turn.ts";

type Block = Message["content"][number];

/** What a reply means for the loop: the turn ended, tools are called, the model is to go on, or this is the answer. */
export type Step =
  | { kind: "ended"; status: Status; failure?: FailureData | undefined }
  | { kind: "calls"; calls: readonly ToolUseBlock[]; unrunnable: ReadonlyMap<string, string> }
  | { kind: "unfinished" }
  | { kind: "answer" };

/** Calls of one reply that are run. No task needs more at once; what asks for thousands is no task. */
const callsAtOnce = 64;

/** How often in a row a reply that was cut or empty is asked for more. */
const continuations = 3;

/** How often in a row a request is made again without what the service refused of it. */
const refusals = 3;

const words = {
  cut: "Your reply was cut at the output limit. Go on exactly where it stopped; do not repeat what you said.",
  empty: "Your reply was empty. Answer the question, or say what keeps you from it.",
  cutCall:
    "The reply hit the output limit before this call was complete, so it was not run. " +
    "Make the call again with a shorter input, or split the work into several calls.",
  tooMany: `Not run: only the first ${callsAtOnce} calls of a reply are. Make fewer calls at once.`,
};

export async function askModel(turn: RunningTurn): Promise<Step> {
  const { model, cost } = turn.options;
  const room = await makeRoom(turn);
  if ("failure" in room) {
    const exhausted = turn.exhausted();
    if (room.failure !== undefined) return failed(room.failure);
    return { kind: "ended", status: exhausted ?? "error" };
  }
  const { request, bytes } = room;
  let heard = false;
  const onDelta = (delta: Delta): void => {
    heard = true;
    turn.record(delta.type === "notice" ? delta : { type: "delta", delta });
  };
  const reply = await model.respond(request, onDelta, turn.signal);
  const { usage, stop } = reply;
  const refused = refusedBlocks(stop, request.messages, turn);
  const ended = refused.length > 0 ? undefined : endOf(stop, turn);
  const unsent = isUnsent(stop) && !heard; // what was heard is of an attempt before
  if (!unsent) turn.spending.step(usage);
  turn.record({
    type: "step",
    step: unsent ? turn.spending.steps + 1 : turn.spending.steps,
    usage,
    dollars: cost(usage),
    stop,
    unsent: unsent || undefined,
    badInputs: reply.badInputs.size > 0 ? Object.fromEntries(reply.badInputs) : undefined,
    partial: ended === undefined ? undefined : textOf(reply.message),
  });
  if (refused.length > 0) return putAside(refused, stop, turn);
  turn.answer.take(textOf(reply.message));
  if (isTooLong(stop) && turn.fit !== "compacted") {
    turn.fit = "refused"; // room is made before the next request, or the turn ends there
    return { kind: "unfinished" };
  }
  if (ended !== undefined) return ended;
  turn.fit = "fits";
  const tokens = usage.input + usage.cacheRead + usage.cacheWrite;
  // More than fits is no count of this prompt: what was repeated is added up, and a service may be mistaken.
  if (tokens > 0 && tokens <= model.context && usage.estimated !== true) turn.counted = { tokens, bytes };
  return take(reply, turn);
}

/** The blocks for which a service refused a request that it may take without them. */
function refusedBlocks(stop: Stop, view: readonly Message[], { inARow }: RunningTurn): readonly Block[] {
  const named = typeof stop === "object" && "named" in stop ? stop.named : undefined;
  const refused = named === undefined ? [] : refusedIn(view, named);
  inARow.refused = refused.length > 0 ? inARow.refused + 1 : 0;
  return inARow.refused > refusals ? [] : refused;
}

function putAside(blocks: readonly Block[], stop: Stop, turn: RunningTurn): Step {
  const reason = failureIn(stop)?.message ?? "";
  for (const block of blocks) turn.record({ type: "rejected", block: markOf(block), what: block.type, reason });
  return { kind: "unfinished" };
}

/**
 * Adds a whole reply to the session. The message of a reply that ended the turn never gets here: only its text is kept.
 */
function take({ message, stop, badInputs }: Reply, turn: RunningTurn): Step {
  if (message.content.length > 0) turn.add(message);
  const calls = toolUsesOf(message);
  const isCut = stop === "max_tokens";
  const isEmpty = !isCut && stop !== "pause" && calls.length === 0 && textOf(message).trim() === "";
  const { inARow } = turn;
  inARow.cut = isCut ? inARow.cut + 1 : 0;
  inARow.empty = isEmpty ? inARow.empty + 1 : 0;

  if (inARow.cut > continuations) return { kind: "ended", status: "max_tokens" };
  if (inARow.empty > continuations) return failed(emptyAnswer);
  if (calls.length > 0) return { kind: "calls", calls, unrunnable: isCut ? allOf(calls) : beyond(calls, badInputs) };
  if (isEmpty) return goOn(words.empty, turn);
  if (!isCut && stop !== "pause") return { kind: "answer" };
  turn.answer.goOn();
  return isCut ? goOn(words.cut, turn) : { kind: "unfinished" };
}

function goOn(word: string, turn: RunningTurn): Step {
  turn.say(word);
  return { kind: "unfinished" };
}

function allOf(calls: readonly ToolUseBlock[]): ReadonlyMap<string, string> {
  return new Map(calls.map((call) => [call.id, words.cutCall]));
}

function beyond(calls: readonly ToolUseBlock[], badInputs: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...badInputs, ...calls.slice(callsAtOnce).map((call) => [call.id, words.tooMany] as const)]);
}

/** The stops that end a turn. */
function endOf(stop: Stop, turn: RunningTurn): Step | undefined {
  if (stop === "aborted") return { kind: "ended", status: turn.interruption() };
  if (stop === "refusal") return { kind: "ended", status: "refused" };
  if (stop === "context_full") return failed(contextFull);
  if (typeof stop === "string") return undefined;
  if ("failed" in stop) return failed(stop.failed);
  return failed(
    new Failure("E_UNKNOWN_STOP", `The model stopped for a reason croft does not know: ${stop.unknown}.`, {
      remedy: "Ask again; if it happens every time, report it with the trace.",
    }),
  );
}

const emptyAnswer = {
  code: "E_EMPTY_ANSWER",
  message: "The model answered with nothing, several times.",
  remedy: "Ask again in other words, or use another model.",
};
const contextFull = {
  code: "E_CONTEXT_FULL",
  message: "The conversation no longer fits into the model's context.",
  remedy: "Ask a narrower question, or use a model with a larger context.",
};

function failed({ code, message, remedy }: FailureData): Step {
  const status = code === "E_DOLLAR_BUDGET" ? "dollar_budget" : "error";
  return { kind: "ended", status, failure: { code, message, remedy } };
}
