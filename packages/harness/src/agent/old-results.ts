/** Which results of tools a long conversation goes on without. The log keeps them all. */

import type { Message, ToolResultBlock } from "../message.ts";

/** In tokens, but for `keep`, which counts results. */
export type ResultLimits = {
  /** A prompt longer than this goes on without its old results. */
  trigger: number;
  /** The latest results that stay. */
  keep: number;
  /** No more of these than make up so much; but what the model has not seen yet stays, however long. */
  keepTokens: number;
  /** Less than this is not worth changing what a provider has in its cache. */
  atLeast: number;
};

/** What a service that edits contexts itself is asked to do, scaled down where the context of a model is small. */
export function resultLimitsFor(context: number): ResultLimits {
  return {
    trigger: Math.min(150_000, context * 0.5),
    keep: 10,
    keepTokens: context * 0.25,
    atLeast: Math.min(40_000, context * 0.1),
  };
}

const words = "(This result is old and was left out, as the conversation is long. Call the tool again if you need it.)";
/** Characters of a token, at least; an image is paid by its pixels. */
const characters = 4;
const imageTokens = 2_000;

/**
 * Messages with a sentence in place of each old result. What was left out once stays left out, and nothing before it changes:
 * the decision is made again from the start, message by message, so a prompt that grows keeps its beginning.
 */
export function withoutOldResults(messages: readonly Message[], limits: ResultLimits): readonly Message[] {
  const results: ToolResultBlock[] = [];
  const left = new Set<ToolResultBlock>();
  let tokens = 0;
  for (const message of messages) {
    for (const block of message.content) {
      tokens += tokensOf(block);
      if (block.type === "tool_result") results.push(block);
    }
    if (tokens <= limits.trigger) continue;
    const old = oldIn(results, message, limits).filter((result) => !left.has(result));
    const freed = old.reduce((sum, result) => sum + tokensOf(result) - words.length / characters, 0);
    if (freed < limits.atLeast) continue;
    for (const result of old) left.add(result);
    tokens -= freed;
  }
  if (left.size === 0) return messages;
  return messages.map((message) =>
    message.role === "assistant"
      ? message
      : {
          role: "user",
          content: message.content.map((block) =>
            block.type === "tool_result" && left.has(block)
              ? { ...block, content: [{ type: "text", text: words }] }
              : block,
          ),
        },
  );
}

/** All but the latest ones, seen from this message. */
function oldIn(
  results: readonly ToolResultBlock[],
  message: Message,
  { keep, keepTokens }: ResultLimits,
): readonly ToolResultBlock[] {
  const unseen = message.content.filter(({ type }) => type === "tool_result").length;
  let kept = unseen;
  let tokens = results.slice(results.length - unseen).reduce((sum, result) => sum + tokensOf(result), 0);
  for (const result of results.slice(0, results.length - unseen).toReversed()) {
    tokens += tokensOf(result);
    if (kept >= keep || tokens > keepTokens) break;
    kept += 1;
  }
  return results.slice(0, results.length - kept);
}

function tokensOf(block: Message["content"][number]): number {
  if (block.type === "text") return block.text.length / characters;
  if (block.type === "image") return imageTokens;
  if (block.type === "tool_result") return block.content.reduce((sum, part) => sum + tokensOf(part), 0);
  const data = block.type === "tool_use" ? block.input : block.raw;
  return JSON.stringify(data ?? null).length / characters;
}
