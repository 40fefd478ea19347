/**
 * Raw stream events into one reply. The official accumulator repairs cut tool inputs and throws away the whole turn for
 * one invalid input; here the text of an input is kept as it came and parsed strictly when its block is whole.
 */

import { noUsage, totalTokens, type Origin, type TextBlock, type Usage } from "../../message.ts";
import { countIn, fieldsOf, isObject, listIn, textIn, type Fields } from "../../json.ts";
import { estimatedUsage, usageEstimated } from "../estimated-usage.ts";
import type { Delta, Reply, Stop } from "../model.ts";
import { append, finished, problemOf, type PartialBlock } from "./block.ts";
import { failureOfEvent, malformed } from "./failures.ts";

export interface Answer {
  /**
   * Takes the next event, parsed but unchecked. Unknown events are ignored. Throws E_BAD_ANSWER on one that fits
   * nowhere.
   */
  add(event: unknown): void;
  /** True once the service said that the message is over. */
  readonly done: boolean;
  /** The reply of a finished message. */
  whole(): Reply;
  /** The reply of one that did not finish: the text that arrived, no calls, the usage known so far. */
  partial(stop: Stop): Reply;
}

/**
 * An empty answer of `origin`; text, progress and notices go to `sink` as they arrive. `asked`: bytes of the request, for
 * an estimate where a compatible server does not report its usage.
 */
export function gather(origin: Origin, asked: () => number, sink: (delta: Delta) => void): Answer {
  const blocks: PartialBlock[] = [];
  const open = new Map<unknown, PartialBlock>();
  let usage = noUsage;
  /** Whether the output was counted at its end: what a stream begins with is no count of it. */
  let counted = false;
  let stopReason: string | undefined;
  let done = false;

  const add = (event: unknown): void => {
    if (!isObject(event)) throw malformed("an event is not an object");
    switch (event["type"]) {
      case "message_start":
        usage = updated(usage, fieldsOf(event["message"])["usage"]);
        break;
      case "content_block_start":
        start(event["index"], fieldsOf(event["content_block"]));
        break;
      case "content_block_delta":
        grow(open.get(event["index"]), fieldsOf(event["delta"]));
        break;
      case "content_block_stop":
        open.delete(event["index"]);
        break;
      case "message_delta":
        end(event);
        break;
      case "message_stop":
        done = true;
        break;
      case "error":
        throw failureOfEvent(fieldsOf(event["error"]));
    }
  };

  const start = (index: unknown, fields: Fields): void => {
    const block = { fields, json: "", id: textIn(fields, "id"), name: textIn(fields, "name") };
    if (fields["type"] === "tool_use" && (block.id === "" || blocks.some(({ id }) => id === block.id))) {
      throw malformed("a tool call has no id of its own");
    }
    blocks.push(block);
    open.set(index, block);
    if (fields["type"] === "text" && textIn(fields, "text") !== "")
      sink({ type: "text", text: textIn(fields, "text") });
    if (fields["type"] === "tool_use") sink({ type: "tool_input", id: block.id, name: block.name, chars: 0 });
    if (fields["type"] === "fallback") {
      sink({ type: "notice", code: "fallback", text: "The service let another model answer." });
    }
  };

  const grow = (block: PartialBlock | undefined, delta: Fields): void => {
    if (block === undefined) throw malformed("a part belongs to no block");
    switch (delta["type"]) {
      case "text_delta":
        append(block.fields, { text: delta["text"] });
        sink({ type: "text", text: textIn(delta, "text") });
        break;
      case "thinking_delta":
        append(block.fields, { thinking: delta["thinking"] });
        if (textIn(delta, "thinking") !== "") sink({ type: "progress", text: textIn(delta, "thinking") });
        break;
      case "input_json_delta":
        block.json += textIn(delta, "partial_json");
        sink({ type: "tool_input", id: block.id, name: block.name, chars: block.json.length });
        break;
      case "citations_delta":
        append(block.fields, { citations: [delta["citation"]] });
        break;
      default: {
        const { type: _type, ...fields } = delta;
        append(block.fields, fields);
      }
    }
  };

  const end = (event: Fields): void => {
    const delta = fieldsOf(event["delta"]);
    usage = updated(usage, event["usage"]);
    counted ||= countIn(fieldsOf(event["usage"]), "output_tokens") !== undefined;
    stopReason = textIn(delta, "stop_reason") || stopReason;
    const explanation = textIn(fieldsOf(delta["stop_details"]), "explanation");
    if (explanation !== "") sink({ type: "notice", code: "refusal", text: explanation });
    for (const edit of listIn(fieldsOf(event["context_management"]), "applied_edits")) {
      const tokens = fieldsOf(edit)["cleared_input_tokens"];
      if (typeof tokens !== "number") continue;
      sink({
        type: "notice",
        code: "context_edited",
        text: `The service put ${tokens} tokens of old tool results aside.`,
      });
    }
  };

  const whole = (): Reply => {
    const content = blocks.map(finished);
    const badInputs = new Map(blocks.flatMap(problemOf));
    const calls = content.some((block) => block.type === "tool_use");
    const stop = stopOf(stopReason, calls);
    const message = { role: "assistant" as const, content, origin };
    return { message, usage: isReported(usage) ? (counted ? usage : asKnown(usage)) : estimated(), stop, badInputs };
  };

  /** No request is without tokens: what a server says of the output alone is kept. */
  const estimated = (): Usage => {
    sink(usageEstimated);
    const written = blocks.reduce((sum, { fields, json }) => sum + JSON.stringify(fields).length + json.length, 0);
    const guess = estimatedUsage(asked(), written);
    return { ...guess, output: Math.max(guess.output, usage.output) };
  };

  const partial = (stop: Stop): Reply => {
    const content = blocks
      .map(finished)
      .filter((block): block is TextBlock => block.type === "text" && block.text !== "");
    return { message: { role: "assistant", content, origin }, usage: asKnown(usage), stop, badInputs: new Map() };
  };

  return {
    add,
    get done() {
      return done;
    },
    whole,
    partial,
  };
}

function stopOf(reason: string | undefined, calls: boolean): Stop {
  switch (reason) {
    case "end_turn":
    case "stop_sequence":
      // Compatible servers end a turn with calls in it; unanswered, those would spoil the next request.
      return calls ? "tool_use" : "end_turn";
    case "tool_use":
    case "max_tokens":
    case "refusal":
      return reason;
    case "pause_turn":
      return "pause";
    case "model_context_window_exceeded":
      return "context_full";
    case undefined:
      // Some servers give none, but say that the message is over.
      return calls ? "tool_use" : "end_turn";
    default:
      return { unknown: reason };
  }
}

/** Whether the tokens of the request were counted. */
function isReported({ input, cacheRead, cacheWrite }: Usage): boolean {
  return input + cacheRead + cacheWrite > 0;
}

/** Of a message whose tokens nobody counted to its end. */
function asKnown(usage: Usage): Usage {
  return totalTokens(usage) > 0 ? { ...usage, estimated: true } : usage;
}

/**
 * Counters are cumulative: a later report replaces an earlier one, field by field, and a missing field changes nothing.
 */
function updated(usage: Usage, report: unknown): Usage {
  const fields = fieldsOf(report);
  const count = (name: string, known: number): number => countIn(fields, name) ?? known;
  return {
    input: count("input_tokens", usage.input),
    cacheRead: count("cache_read_input_tokens", usage.cacheRead),
    cacheWrite: count("cache_creation_input_tokens", usage.cacheWrite),
    output: count("output_tokens", usage.output),
  };
}
