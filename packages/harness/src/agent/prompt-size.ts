/** How long a prompt is: in bytes, which can be counted, and in tokens, which only a service can. */

import type { Message } from "../message.ts";
import type { ModelRequest } from "../model/model.ts";

/** What a service counted for a prompt of so many bytes. */
export type Counted = { tokens: number; bytes: number };

/** Bytes of a token where nothing better is known: code has more than prose, so this errs on the safe side. */
const tokenBytes = 3;
/** What an image counts for, which is paid by its pixels. */
const imageBytes = 6_000;

/** Bytes of system prompt and tools. */
export function fixedBytes({ system, tools }: Pick<ModelRequest, "system" | "tools">): number {
  return Buffer.byteLength(JSON.stringify([system, tools]));
}

/** Bytes of what was said. */
export function bytesOf(messages: readonly Message[]): number {
  return messages.reduce((sum, { content }) => content.reduce((all, block) => all + bytesOfBlock(block), sum), 0);
}

/**
 * Tokens of a prompt, about: as they were counted last, and for what was added since a token for three bytes; a prompt
 * that became shorter has as many less in proportion.
 */
export function tokensIn(bytes: number, counted: Counted | undefined): number {
  if (counted === undefined) return bytes / tokenBytes;
  if (bytes < counted.bytes) return (counted.tokens * bytes) / counted.bytes;
  return counted.tokens + (bytes - counted.bytes) / tokenBytes;
}

/** Bytes of one block of a message. */
export function bytesOfBlock(block: Message["content"][number]): number {
  if (block.type === "text") return Buffer.byteLength(block.text);
  if (block.type === "image") return imageBytes;
  if (block.type === "tool_result") return block.content.reduce((sum, part) => sum + bytesOfBlock(part), 0);
  const data = block.type === "tool_use" ? [block.name, block.input] : block.raw;
  return Buffer.byteLength(JSON.stringify(data ?? null));
}
