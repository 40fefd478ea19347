/** A scripted answer as the chunks of a stream, with the quirks of its server. */

import { pieces, type PlainAnswer } from "../http/delivery.ts";
import { callPieces, callsOf } from "./calls.ts";
import type { Quirks } from "./quirks.ts";
import type { ChatAnswer, ChatPart, TokenCounts } from "./script.ts";

type Fields = Record<string, unknown>;
export type Composition = { events: readonly string[]; plain: PlainAnswer; counted: TokenCounts };

/** Composes the answer to request number `n`. */
export function compose(
  answer: ChatAnswer,
  n: number,
  quirks: Quirks,
  prompt: Omit<TokenCounts, "completion">,
): Composition {
  const message = messageOf(answer.parts, n, quirks);
  const completion = Math.ceil(Buffer.byteLength(JSON.stringify(message)) / 4);
  const counted = { ...prompt, completion, ...answer.usage };
  const usage = quirks.usage === "absent" ? undefined : usageOf(counted);
  const finish = finishOf(answer, quirks);

  const chunk = (choices: object[], used: boolean): object => ({
    ...head(n, "chat.completion.chunk"),
    choices,
    ...(used ? { usage } : quirks.nulls ? { usage: null } : {}),
  });
  const choice = (delta: Fields, end: string | null): object[] => {
    const filled = quirks.nulls ? { content: null, tool_calls: null, reasoning_content: null, ...delta } : delta;
    const said = end !== null && quirks.recap ? { message } : { delta: filled };
    const first = { index: 0, ...said, finish_reason: end };
    return quirks.choices === 1 ? [first] : [{ ...first, index: 1, delta: { content: "or so" } }, first];
  };
  const chunks: (object | string)[] = [];
  for (const delta of deltasOf(answer.parts, n, quirks)) {
    chunks.push("raw" in delta ? delta.raw : chunk(choice(delta.fields, null), quirks.usage === "every"));
  }
  chunks.push(chunk(choice({}, finish), quirks.usage === "with_finish" || quirks.usage === "every"));
  if (quirks.usage === "last") chunks.push(chunk([], true));
  if (quirks.done) chunks.push("[DONE]");

  const whole = { ...head(n, "chat.completion"), choices: [{ index: 0, message, finish_reason: finish }], usage };
  const plain = { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(whole) };
  return { events: chunks.map((data) => eventOf(data, quirks)), plain, counted };
}

function head(n: number, object: string): object {
  return { id: `chatcmpl-${n}`, object, created: 0, model: "test" };
}

/** What a call ends with depends on the server; that there is no call is never said wrongly. */
function finishOf({ finish, parts }: ChatAnswer, quirks: Quirks): string | null {
  if (finish !== undefined) return finish;
  if (quirks.finish === "absent") return null;
  if (!parts.some(({ type }) => type === "tool_use" || type === "raw_call")) return "stop";
  return quirks.finish === "right" ? "tool_calls" : quirks.finish;
}

type Delta = { fields: Fields } | { raw: object | string };

function deltasOf(parts: readonly ChatPart[], n: number, quirks: Quirks): Delta[] {
  const calls = callsOf(parts, n);
  const deltas = parts.flatMap((part, place): Delta[] => {
    if (part.type === "raw_chunk") return [{ raw: part.data }];
    const call = calls.get(place);
    const pieces =
      call === undefined ? said(part, quirks) : callPieces(call, quirks).map((piece) => ({ tool_calls: [piece] }));
    return pieces.map((fields) => ({ fields }));
  });
  return quirks.role ? [{ fields: { role: "assistant", content: "" } }, ...deltas] : deltas;
}

function said(part: ChatPart, quirks: Quirks): Fields[] {
  if (part.type === "text") return pieces(part.text).map((text) => ({ content: contentOf(text, quirks) }));
  if (part.type === "thinking") return pieces(part.text).map((text) => reasoningOf(text, quirks));
  return [];
}

function contentOf(text: string, quirks: Quirks): unknown {
  return quirks.content === "text" ? text : [{ type: "text", text }];
}

function reasoningOf(text: string, { reasoning }: Quirks): Fields {
  return { [reasoning]: reasoning === "reasoning_details" ? [{ type: "reasoning.text", text }] : text };
}

/** The message in one piece. */
function messageOf(parts: readonly ChatPart[], n: number, quirks: Quirks): Fields {
  const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  const thought = parts.map((part) => (part.type === "thinking" ? part.text : "")).join("");
  const calls = [...callsOf(parts, n).values()].flatMap((call) => callPieces(call, { ...quirks, arguments: "whole" }));
  return {
    role: "assistant",
    content: text === "" ? null : contentOf(text, quirks),
    ...(thought === "" ? {} : reasoningOf(thought, quirks)),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function usageOf({ prompt, cached, completion }: TokenCounts): object {
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached },
  };
}

function eventOf(data: object | string, { eol, space, comments }: Quirks): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  const noise = comments ? `: PROCESSING${eol}${eol}event: message${eol}` : "";
  return `${noise}data:${space ? " " : ""}${text}${eol}${eol}`;
}
