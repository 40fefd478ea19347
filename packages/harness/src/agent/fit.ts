/** A conversation made to fit, whatever it holds: for a look back at it, where the whole is too long to be sent. */

import type { Message, TextBlock, ImageBlock } from "../message.ts";
import { cutMiddle } from "./cut-middle.ts";
import { bytesOf } from "./prompt-size.ts";

/** Characters of one piece: of a tool's result or input, and of anything else that was said. */
type Limits = { tool: number; text: number };

/** Tried in order: what tools gave goes first, as it can be had again. */
const shorter: readonly Limits[] = [
  { tool: 4_000, text: 20_000 },
  { tool: 1_000, text: 4_000 },
  { tool: 200, text: 1_000 },
];

/**
 * Messages of at most so many bytes, each call still with its result: cut piece by piece, and where that does not do,
 * without those that follow the first. The first one, cut, is there however long it is.
 */
export function fitted(messages: readonly Message[], most: number): readonly Message[] {
  if (bytesOf(messages) <= most) return messages;
  let cut = messages;
  for (const limits of shorter) {
    cut = messages.map((message) => shortened(message, limits));
    if (bytesOf(cut) <= most) return cut;
  }
  const [first, ...rest] = cut;
  if (first === undefined) return [];
  let room = most - bytesOf([first]);
  let from = rest.length;
  for (let at = rest.length - 1; at >= 0; at -= 1) {
    room -= bytesOf(rest.slice(at, at + 1));
    if (room < 0) break;
    if (rest[at]?.role === "assistant") from = at;
  }
  return [first, ...rest.slice(from)];
}

function shortened(message: Message, limits: Limits): Message {
  if (message.role === "assistant") {
    const content = message.content.map((block) => {
      if (block.type === "text") return shortText(block, limits.text);
      if (block.type === "tool_use") return { ...block, input: shortStrings(block.input, limits.tool) };
      return block; // a provider takes its own blocks back only as they were
    });
    return { ...message, content };
  }
  const content = message.content.map((block) => {
    if (block.type !== "tool_result") return shortPart(block, limits.text);
    return { ...block, content: block.content.map((part) => shortPart(part, limits.tool)) };
  });
  return { role: "user", content };
}

function shortPart(part: TextBlock | ImageBlock, limit: number): TextBlock {
  return part.type === "text" ? shortText(part, limit) : { type: "text", text: "(image)" };
}

function shortText(block: TextBlock, limit: number): TextBlock {
  return block.text.length <= limit ? block : { type: "text", text: cutMiddle(block.text, limit) };
}

function shortStrings(value: unknown, limit: number): unknown {
  if (typeof value === "string") return cutMiddle(value, limit);
  if (Array.isArray(value)) return value.map((one) => shortStrings(one, limit));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shortStrings(one, limit)]));
}
