/** A scripted answer as the events of a stream. */

import { pieces, type PlainAnswer } from "../http/delivery.ts";
import type { PromptTokens } from "./prompt-cache.ts";
import { tokens } from "./prompt-cache.ts";
import { sign, type SentBlock } from "./memory.ts";
import type { Answer, UsageReport, WirePart } from "./script.ts";

export type Composition = {
  /** One server-sent event each. */
  events: readonly string[];
  content: readonly SentBlock[];
  stop: string;
  usage: UsageReport;
  /** False where an error event ends it. */
  whole: boolean;
};

type BlockStream = { block: SentBlock; start: object; deltas: readonly object[] };

/** Composes the answer to request number `n`. */
export function compose(answer: Answer, n: number, model: string, prompt: PromptTokens): Composition {
  const { parts } = answer;
  const blocks = parts.map((part, index) => streamed(part, n, index));
  const content = blocks.flatMap((one) => one?.block ?? []);
  const output = tokens(Buffer.byteLength(JSON.stringify(content)));
  const usage = { ...prompt, output, ...answer.usage };
  const stop = answer.stop ?? (content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn");

  const message = { ...head(n, model), content: [], stop_reason: null, usage: report({ ...usage, output: 1 }) };
  const events = [event({ type: "message_start", message }), event({ type: "ping" })];
  let index = 0;
  for (const [at, part] of parts.entries()) {
    if (part.type === "error") {
      events.push(event({ type: "error", error: { type: part.kind, message: part.message } }));
      return { events, content, stop, usage, whole: false };
    }
    if (part.type === "raw_event") events.push(event({ ...part.data }));
    const one = blocks[at];
    if (one === undefined) continue;
    events.push(event({ type: "content_block_start", index, content_block: one.start }));
    for (const delta of one.deltas) events.push(event({ type: "content_block_delta", index, delta }));
    events.push(event({ type: "content_block_stop", index }));
    index += 1;
  }
  events.push(
    event({ type: "message_delta", delta: { stop_reason: stop, stop_sequence: null }, usage: report(usage) }),
  );
  events.push(event({ type: "message_stop" }));
  return { events, content, stop, usage, whole: true };
}

/** The same answer without streaming. */
export function messageOf({ content, stop, usage }: Composition, n: number, model: string): PlainAnswer {
  const blocks = content.map(({ unparsed: _unparsed, ...block }) => block);
  const body = JSON.stringify({ ...head(n, model), content: blocks, stop_reason: stop, usage: report(usage) });
  return { status: 200, headers: { "content-type": "application/json" }, body };
}

function head(n: number, model: string): object {
  return { id: `msg_${n}`, type: "message", role: "assistant", model, stop_sequence: null };
}

function report({ input, cacheRead, cacheWrite, output }: UsageReport): object {
  return {
    input_tokens: input,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
    output_tokens: output,
  };
}

function streamed(part: WirePart, n: number, index: number): BlockStream | undefined {
  switch (part.type) {
    case "text": {
      const deltas = pieces(part.text).map((text) => ({ type: "text_delta", text }));
      return { block: { type: "text", text: part.text }, start: { type: "text", text: "" }, deltas };
    }
    case "thinking": {
      const block = { type: "thinking", thinking: part.text, signature: sign(part.text) };
      const deltas = [
        ...pieces(part.text).map((thinking) => ({ type: "thinking_delta", thinking, estimated_tokens: null })),
        ...pieces(block.signature).map((signature) => ({ type: "signature_delta", signature })),
      ];
      return { block, start: { type: "thinking", thinking: "", signature: "" }, deltas };
    }
    case "tool_use":
      return callStream(part.name, JSON.stringify(part.input), part.id ?? `toolu_${n}_${index + 1}`);
    case "raw_call":
      return callStream(part.name, part.json, `toolu_${n}_${index + 1}`);
    case "raw_block":
      return { block: grown(part.fields, part.deltas), start: part.fields, deltas: part.deltas };
    default:
      return undefined;
  }
}

function callStream(name: string, json: string, id: string): BlockStream {
  const start = { type: "tool_use", id, name, input: {} };
  const deltas = pieces(json).map((partial_json) => ({ type: "input_json_delta", partial_json }));
  const input = parsed(json);
  const block: SentBlock = input === undefined ? { ...start, unparsed: true } : { ...start, input };
  return { block, start, deltas };
}

function parsed(json: string): object | undefined {
  try {
    const value: unknown = JSON.parse(json === "" ? "{}" : json);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Text fields of the deltas continue those of the block. */
function grown(fields: object, deltas: readonly object[]): SentBlock {
  const block: SentBlock = { type: "", ...fields };
  for (const delta of deltas) {
    for (const [key, value] of Object.entries(delta)) {
      if (key === "type") continue;
      const known = block[key];
      block[key] = typeof known === "string" && typeof value === "string" ? known + value : value;
    }
  }
  return block;
}

function event(data: { type: string; [field: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}
