/**
 * A model over raw HTTP, in one file and without an SDK: the Messages API with nothing but fetch. It passes the same
 * conformance suite as the adapters of the library (`modelConformance` of @croft/harness/testing).
 */

import { Failure, noUsage, type Delta, type Message, type Model, type Reply, type Respond } from "@croft/harness";

export type RawHttpOptions = { model: string; baseUrl: string; apiKey: string };

/** A model of the service at `baseUrl`. Whatever goes wrong becomes the stop of the reply. */
export function rawHttp({ model, baseUrl, apiKey }: RawHttpOptions): Model {
  const respond: Respond = async (request, sink, signal) => {
    const answer = newAnswer(model, sink);
    try {
      const response = await fetch(`${baseUrl}/v1/messages`, {
        method: "POST",
        headers: { "content-type": "application/json", "anthropic-version": "2026-10-21", "x-api-key": apiKey },
        body: JSON.stringify({
          model,
          stream: true,
          max_tokens: request.maxTokens,
          system: request.system,
          tools: request.tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
          messages: request.messages.map(toWire),
        }),
        signal,
      });
      if (!response.ok) throw failure(`HTTP ${response.status}: ${await response.text()}`, response.status >= 429);
      for await (const event of eventsOf(response)) answer.take(event);
      if (!answer.finished()) throw failure("The stream was cut.", true);
      return answer.reply();
    } catch (error) {
      if (signal.aborted) return answer.partial("aborted");
      return answer.partial({ failed: error instanceof Failure ? error : failure(String(error), true) });
    }
  };
  return { id: `raw/${model}`, context: 200_000, output: 64_000, images: false, respond };
}

function failure(message: string, mayPass: boolean): Failure {
  return new Failure("E_RAW_HTTP", message, { retryAfterMs: mayPass ? 0 : undefined });
}

/** Our plain blocks as the API has them; what it said that we do not know goes back as it came. */
function toWire({ role, content }: Message): object {
  return {
    role,
    content: content.map((block) => {
      if (block.type === "opaque") return block.raw;
      if (block.type === "tool_use" && !isObject(block.input)) return { ...block, input: { unreadable: block.input } };
      if (block.type === "tool_result") {
        return { type: block.type, tool_use_id: block.toolUseId, content: block.content, is_error: block.isError };
      }
      return block;
    }),
  };
}

type Json = Record<string, unknown>;

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The field of an event as an object, empty where it is none. */
function part(event: Json, field: string): Json {
  const value = event[field];
  return isObject(value) ? value : {};
}

function textIn(object: Json, field: string): string {
  const value = object[field];
  return typeof value === "string" ? value : "";
}

/** The JSON after each `data:` of a stream of server-sent events. */
async function* eventsOf(response: Response): AsyncGenerator<Json> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    const events = (rest + decoder.decode(bytes, { stream: true })).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const line = event.split("\n").find((one) => one.startsWith("data:"));
      const data: unknown = JSON.parse(line?.slice("data:".length) ?? "null");
      if (isObject(data)) yield data;
    }
  }
}

const stops: Readonly<Record<string, Reply["stop"]>> = {
  end_turn: "end_turn",
  tool_use: "tool_use",
  max_tokens: "max_tokens",
  refusal: "refusal",
  pause_turn: "pause",
};

/** Gathers a reply from events: blocks as they start, grown by deltas, tool input kept as text until the end. */
function newAnswer(model: string, sink: (delta: Delta) => void) {
  const blocks: Json[] = [];
  const inputs = new Map<Json, string>();
  let usage = noUsage;
  let stop = "";
  let finished = false;

  const grow = (block: Json, delta: Json): void => {
    for (const field of ["text", "thinking", "signature"]) {
      if (delta[field] !== undefined) block[field] = textIn(block, field) + textIn(delta, field);
    }
    if (delta["type"] === "text_delta") sink({ type: "text", text: textIn(delta, "text") });
    if (delta["type"] === "thinking_delta") sink({ type: "progress", text: textIn(delta, "thinking") });
    if (delta["type"] !== "input_json_delta") return;
    const input = (inputs.get(block) ?? "") + textIn(delta, "partial_json");
    inputs.set(block, input);
    sink({ type: "tool_input", id: textIn(block, "id"), name: textIn(block, "name"), chars: input.length });
  };

  const take = (event: Json): void => {
    const index = Number(event["index"]);
    if (event["type"] === "message_start") count(part(part(event, "message"), "usage"));
    if (event["type"] === "content_block_start") {
      const block = part(event, "content_block");
      blocks[index] = block;
      if (block["type"] === "tool_use") grow(block, { type: "input_json_delta", partial_json: "" });
    }
    if (event["type"] === "content_block_delta") grow(blocks[index] ?? {}, part(event, "delta"));
    if (event["type"] === "message_delta") {
      stop = textIn(part(event, "delta"), "stop_reason");
      count(part(event, "usage"));
    }
    if (event["type"] === "message_stop") finished = true;
    if (event["type"] === "error") throw failure(JSON.stringify(event["error"]), true);
  };

  const count = (counted: Json): void => {
    const number = (field: string, before: number): number => Number(counted[field] ?? before);
    usage = {
      input: number("input_tokens", usage.input),
      cacheRead: number("cache_read_input_tokens", usage.cacheRead),
      cacheWrite: number("cache_creation_input_tokens", usage.cacheWrite),
      output: number("output_tokens", usage.output),
    };
  };

  const replyWith = (keep: readonly Json[], end: Reply["stop"]): Reply => {
    const badInputs = new Map<string, string>();
    const content = keep.map((block): Reply["message"]["content"][number] => {
      if (block["type"] === "text") return { type: "text", text: textIn(block, "text") };
      if (block["type"] !== "tool_use") return { type: "opaque", raw: block };
      const id = textIn(block, "id");
      const read = readInput(inputs.get(block) ?? "");
      if ("problem" in read) badInputs.set(id, read.problem);
      return { type: "tool_use", id, name: textIn(block, "name"), input: read.input };
    });
    return { message: { role: "assistant", content, origin: { provider: "raw", model } }, usage, stop: end, badInputs };
  };

  return {
    take,
    finished: () => finished,
    reply: () => replyWith(blocks, stops[stop] ?? { unknown: stop }),
    /** Only text outlives a reply that broke off: half a call must never run. */
    partial: (end: Reply["stop"]) =>
      replyWith(
        blocks.filter((block) => block["type"] === "text" && block["text"] !== ""),
        end,
      ),
  };
}

/** The input of a call; what is no JSON object stays text, with what is wrong with it. */
function readInput(text: string): { input: unknown } | { input: string; problem: string } {
  try {
    const input: unknown = JSON.parse(text === "" ? "{}" : text);
    return isObject(input) ? { input } : { input: text, problem: "The input must be a JSON object." };
  } catch (error) {
    return { input: text, problem: `The input is not JSON: ${String(error)}` };
  }
}
