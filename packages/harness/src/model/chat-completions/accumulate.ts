/**
 * Chunks of a streamed completion into one reply, whatever a server leaves out. An answer in one piece is a single
 * chunk.
 */

import { noUsage, type AssistantMessage, type Origin, type TextBlock, type Usage } from "../../message.ts";
import { fieldsOf, isObject, listIn, textIn, type Fields } from "../../json.ts";
import type { Delta, Reply, Stop } from "../model.ts";
import { estimatedUsage, usageEstimated } from "../estimated-usage.ts";
import { streamCut } from "../http-failure.ts";
import { withExtras } from "./call-extras.ts";
import { gatherCalls } from "./calls.ts";
import { callsInText, endsInCall } from "./calls-in-text.ts";
import { failureOfChunk, malformed } from "./failures.ts";
import { gatherReasoning } from "./reasoning.ts";
import { partThoughts } from "./think-tags.ts";
import { reportedUsage } from "./usage.ts";

export type Asked = {
  origin: Origin;
  /** The names of the tools that may be called. */
  tools: ReadonlySet<string>;
  /** The ids of all calls in the conversation so far. */
  ids: ReadonlySet<string>;
  /** Never repeated in what is said of an error. */
  apiKey: string | undefined;
  /** Bytes of the request, for an estimate where the server does not report its usage. */
  bytes: number;
};

export interface Answer {
  /** Takes the next chunk, parsed but unchecked. Throws the Failure of an error that the server sends as a chunk. */
  add(chunk: unknown): void;
  /** True once the server gave a reason for its end: only the usage may still follow. */
  readonly finished: boolean;
  /**
   * The reply, when nothing more will come. `announced`: the server said so. An end without a word may be a cut one:
   * where it would leave half a call, or nothing, E_STREAM_CUT is thrown.
   */
  whole(announced: boolean): Reply;
  /** The reply of one that did not finish: the text that arrived, no calls, the usage known so far. */
  partial(stop: Stop): Reply;
}

/** An empty answer; text, progress and notices go to `sink` as they arrive. */
export function gather(asked: Asked, sink: (delta: Delta) => void): Answer {
  const calls = gatherCalls(asked.ids, sink);
  const reasoning = gatherReasoning();
  const parter = partThoughts();
  let begun = false;
  let text = "";
  let refusal = "";
  let thoughts = 0;
  let reason = "";
  let usage: Usage | undefined;
  /** Whether its usage is that of the whole answer: a report beside a piece of it may be of all until then. */
  let counted = false;

  const add = (chunk: unknown): void => {
    if (!isObject(chunk)) throw malformed("a chunk is not an object");
    const failure = failureOfChunk(chunk, asked.apiKey);
    if (failure !== undefined) throw failure;
    const report = reportedUsage(chunk["usage"]);
    usage = report ?? usage;
    // A server that is asked for one choice may send several: the first is the answer.
    for (const choice of listIn(chunk, "choices").map(fieldsOf)) if ((choice["index"] ?? 0) === 0) take(choice);
    counted ||= report !== undefined && (reason !== "" || listIn(chunk, "choices").length === 0);
  };

  const take = (choice: Fields): void => {
    // A last chunk may hold the whole message again, after all that was streamed.
    const said = isObject(choice["delta"]) ? choice["delta"] : begun ? {} : fieldsOf(choice["message"]);
    begun = true;
    hear(said);
    for (const piece of listIn(said, "tool_calls")) calls.add(fieldsOf(piece));
    if (isObject(said["function_call"])) calls.add({ function: said["function_call"] });
    refusal += textIn(said, "refusal");
    reason = textIn(choice, "finish_reason") || reason;
  };

  const hear = (said: Fields): void => {
    const parted = parter.add(textOfContent(said["content"]));
    const thought = reasoning.add(said) + reasoning.add({ reasoning_content: parted.thought });
    thoughts += thought.length;
    if (thought !== "") sink({ type: "progress", text: thought });
    say(parted.said);
  };

  const say = (words: string): void => {
    text += words;
    if (words !== "") sink({ type: "text", text: words });
  };

  const replyOf = (stop: Stop, content: AssistantMessage["content"], badInputs: Reply["badInputs"]): Reply => {
    const message: AssistantMessage = { role: "assistant", content, origin: asked.origin };
    if (usage !== undefined)
      return { message, usage: counted ? usage : { ...usage, estimated: true }, stop, badInputs };
    if (!begun) return { message, usage: noUsage, stop, badInputs };
    const written = Buffer.byteLength(text) + thoughts + calls.chars;
    return { message, usage: estimatedUsage(asked.bytes, written), stop, badInputs };
  };

  const whole = (announced: boolean): Reply => {
    const { calls: made, badInputs, extras } = calls.finish();
    // What the limit cut off in the middle of its thoughts has said nothing yet.
    if (reason !== "length") say(parter.end());
    if (!announced && reason === "") {
      const isEmpty = text === "" && made.length === 0;
      if (isEmpty || !calls.whole) throw streamCut("The answer stopped before its end.");
      sink({ type: "notice", code: "end_unmarked", text: "The server did not say whether its answer is complete." });
    }
    if (refusal !== "") sink({ type: "notice", code: "refusal", text: refusal });
    const isUnread = made.length === 0 && endsInCall(text, asked.tools);
    const stop = isUnread ? { failed: callsInText() } : refusal === "" ? stopOf(reason, made.length > 0) : "refusal";
    const thought = reasoning.raw === undefined ? [] : [{ type: "opaque" as const, raw: reasoning.raw }];
    counted ||= announced;
    // Of a reply that was cut or cancelled nothing is known of what the server would have reported at its end.
    if (usage === undefined && begun) sink(usageEstimated);
    const called = made.flatMap((call) => withExtras(call, extras.get(call.id)));
    return replyOf(stop, [...thought, ...textBlocks(text), ...called], badInputs);
  };

  return {
    add,
    get finished() {
      return reason !== "";
    },
    whole,
    partial: (stop) => replyOf(stop, textBlocks(text), new Map()),
  };
}

function textBlocks(text: string): TextBlock[] {
  return text === "" ? [] : [{ type: "text", text }];
}

/** Content is text or, with some servers, a list of parts. */
function textOfContent(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => textIn(fieldsOf(part), "text")).join("");
}

function stopOf(reason: string, calls: boolean): Stop {
  switch (reason) {
    case "":
    case "stop":
    case "tool_calls":
    case "function_call":
    case "eos_token":
      // What matters is whether there are calls: unanswered, they would spoil the next request.
      return calls ? "tool_use" : "end_turn";
    case "length":
      return "max_tokens";
    case "content_filter":
      return "refusal";
    default:
      return { unknown: reason };
  }
}
