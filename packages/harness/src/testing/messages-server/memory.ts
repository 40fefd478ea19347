/** What the server said, and whether it comes back as it was. */

import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { wellFormed } from "../../json.ts";
import { sendableName } from "../http/invented.ts";
import type { MessagesRequest, WireBlock, WireMessage } from "./request.ts";

/** A block as it was sent; `unparsed` is a call whose input was no JSON, which no client can send back as it was. */
export type SentBlock = { type: string; unparsed?: true; [field: string]: unknown };

type Said = { content: readonly SentBlock[]; stop: string; frame: string };

export interface Memory {
  /** The first thing of its own that does not come back unchanged. */
  complaint(request: MessagesRequest): string | undefined;
  /** Notes a reply that was sent to its end. */
  remember(request: MessagesRequest, content: readonly SentBlock[], stop: string): void;
}

/**
 * Knows a reply by the calls in it, and by the conversation it answered. `frozen`: system prompt and tools have to
 * be what they were when the reply was made, as the check of thinking blocks demands.
 */
export function memory(frozen: boolean): Memory {
  const byMark = new Map<string, Said>();
  const byPrefix = new Map<string, Said[]>();

  const saidAt = (messages: readonly WireMessage[], index: number): readonly Said[] => {
    const marked = messages[index]?.content.flatMap(marksOf).flatMap((mark) => byMark.get(mark) ?? []) ?? [];
    return marked.length > 0 ? marked.slice(0, 1) : (byPrefix.get(digest(messages.slice(0, index))) ?? []);
  };

  const complaint = (request: MessagesRequest): string | undefined => {
    for (const [index, { role, content }] of request.messages.entries()) {
      if (role !== "assistant") continue;
      const forged = content.find(
        (block) => block.type === "thinking" && block["signature"] !== sign(block["thinking"]),
      );
      if (forged !== undefined) return `messages.${index}: Invalid \`signature\` in \`thinking\` block`;
      const said = saidAt(request.messages, index);
      if (said.length > 0 && !said.some((one) => isSame(one.content, content))) {
        return `messages.${index}: content of the assistant cannot be modified; it must remain as it was in the original response`;
      }
      if (frozen && said.length > 0 && !said.some(({ frame }) => frame === frameOf(request))) {
        return `messages.${index}: the system prompt or the tools have changed since this message was made`;
      }
    }
    const end = request.messages.length - 1;
    if (request.messages[end]?.role !== "assistant") return undefined;
    if (saidAt(request.messages, end).some(({ stop }) => stop === "pause_turn")) return undefined;
    return "This model does not support assistant message prefill. The conversation must end with a user message.";
  };

  const remember = (request: MessagesRequest, content: readonly SentBlock[], stop: string): void => {
    const said = { content: content.filter(isReturnable), stop, frame: frameOf(request) };
    for (const mark of content.flatMap(marksOf)) byMark.set(mark, said);
    const prefix = digest(request.messages);
    byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), said]);
  };

  return { complaint, remember };
}

/** A signature that any server of this kind can verify. */
export function sign(thinking: unknown): string {
  return createHash("sha256")
    .update(`thought: ${String(thinking)}`)
    .digest("base64");
}

function marksOf(block: WireBlock | SentBlock): string[] {
  return block.type === "tool_use" ? [String(block["id"])] : [];
}

/**
 * Blocks without a visible character may not be sent back, and thinking with half a surrogate pair in it cannot be: it
 * is signed as it was.
 */
function isReturnable(block: SentBlock): boolean {
  if (block.type === "thinking") return String(block["thinking"]).isWellFormed();
  return block.type !== "text" || /\S/.test(String(block["text"]));
}

function isSame(sent: readonly SentBlock[], back: readonly WireBlock[]): boolean {
  return sent.length === back.length && sent.every((block, index) => isSameBlock(block, back[index]));
}

function isSameBlock({ unparsed, ...sent }: SentBlock, back: WireBlock | undefined): boolean {
  if (back === undefined) return false;
  const { cache_control: _, ...came } = back;
  const name = String(sent["name"]);
  if (sent.type === "tool_use" && came["name"] === sendableName(name)) came["name"] = name;
  if (unparsed === true) came["input"] = sent["input"];
  return isDeepStrictEqual(wellFormed(sent), came); // half a surrogate pair cannot come back
}

function frameOf({ system, tools }: MessagesRequest): string {
  return digest([system, tools]);
}

/** Breakpoints of the cache move, and are no part of what was said. */
function digest(value: unknown): string {
  const text = JSON.stringify(value);
  const unmarked = (key: string, inner: unknown): unknown => (key === "cache_control" ? undefined : inner);
  const said = text.includes('"cache_control"') ? JSON.stringify(value, unmarked) : text;
  return createHash("sha256").update(said).digest("base64");
}
