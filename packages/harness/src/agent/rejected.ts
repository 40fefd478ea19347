/**
 * Blocks that a service refused: one of them makes every later request fail, so a note goes in its place. The log keeps
 * them; a block is known by a mark of its content, wherever it stands.
 */

import type { AssistantMessage, Message, TextBlock, UserMessage } from "../message.ts";
import type { Named } from "../model/model.ts";
import { sumOf } from "../seal.ts";

type Block = Message["content"][number];
type Said = UserMessage["content"];
type IsRefused = (block: Block) => boolean;

/** What an event names a block by. */
export function markOf(block: Block): string {
  const json = JSON.stringify(block);
  return `${json.length}-${sumOf(json)}`;
}

/**
 * The blocks refused where a service named some of a view. What is bound to the conversation before it, as thinking is,
 * is refused as a whole: the others would be next.
 */
export function refusedIn(view: readonly Message[], { message, blocks }: Named): Block[] {
  const named = blocks.flatMap((index): Block[] => view[message]?.content.slice(index, index + 1) ?? []);
  const [opaque, others] = [named.filter(isOpaque), named.filter((block) => !isOpaque(block))];
  return opaque.length === 0
    ? others
    : [...others, ...view.flatMap(({ content }): Block[] => content).filter(isOpaque)];
}

/** Messages with a note in place of each refused block; a call that is refused is told as text, with its result. */
export function withoutRejected(messages: readonly Message[], rejected: ReadonlySet<string>): readonly Message[] {
  if (rejected.size === 0) return messages;
  const isRefused: IsRefused = (block) => rejected.has(markOf(block));
  const told = new Set<string>();
  return messages
    .map((message): Message =>
      message.role === "assistant" ? replied(message, isRefused, told) : said(message, isRefused, told),
    )
    .filter(({ content }) => content.length > 0);
}

/** Collects into `told` the calls that are text from now on. */
function replied(message: AssistantMessage, isRefused: IsRefused, told: Set<string>): AssistantMessage {
  const content = message.content.flatMap((block) => {
    if (!isRefused(block)) return [block];
    if (block.type === "tool_use") told.add(block.id);
    return block.type === "opaque" ? [] : [noteOn(block)];
  });
  return { ...message, content };
}

function said(message: UserMessage, isRefused: IsRefused, told: ReadonlySet<string>): UserMessage {
  const results: Said = [];
  const rest: Said = [];
  for (const block of message.content) {
    if (block.type !== "tool_result") rest.push(isRefused(block) ? noteOn(block) : block);
    else if (told.has(block.toolUseId)) rest.push(...block.content);
    else results.push(isRefused(block) ? { ...block, content: [noteOn(block)] } : block);
  }
  return { role: "user", content: [...results, ...rest] };
}

function isOpaque(block: Block): boolean {
  return block.type === "opaque";
}

const words: Readonly<Record<Exclude<Block["type"], "opaque">, string>> = {
  text: "A text",
  image: "An image",
  tool_use: "A call of a tool",
  tool_result: "The result of a call",
};

function noteOn({ type }: Exclude<Block, { type: "opaque" }>): TextBlock {
  return { type: "text", text: `(${words[type]} stood here. The service refused it, so it was left out.)` };
}
