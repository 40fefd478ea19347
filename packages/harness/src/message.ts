/**
 * What was said: plain JSON blocks in the shape the log keeps them. An adapter translates at its edge; everything else
 * in croft speaks these types. Assistant content is sent back exactly as it came.
 */

export type TextBlock = { type: "text"; text: string };
export type ImageBlock = { type: "image"; mediaType: string; base64: string };
export type ToolUseBlock = { type: "tool_use"; id: string; name: string; input: unknown };
export type ToolResultBlock = {
  type: "tool_result";
  toolUseId: string;
  content: (TextBlock | ImageBlock)[];
  isError: boolean;
};
/** Whatever else a provider says (thinking, fallback, compaction…): kept, never read, returned only to its origin. */
export type OpaqueBlock = { type: "opaque"; raw: unknown };

/** Who said a message: opaque blocks go back to the same one only. */
export type Origin = { provider: string; model: string };
/** Tokens. `input` excludes what was read from or written to the cache. `estimated`: nobody counted all of them. */
export type Usage = {
  input: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
  estimated?: true | undefined;
};

export type UserMessage = { role: "user"; content: (TextBlock | ImageBlock | ToolResultBlock)[] };
export type AssistantMessage = {
  role: "assistant";
  content: (TextBlock | ToolUseBlock | OpaqueBlock)[];
  origin: Origin;
};
/** What was said, with the blocks as they were, so that a provider gets back what it gave. */
export type Message = UserMessage | AssistantMessage;

/** The origin that a model's id stands for: `provider/model`, or one bare word without a provider. */
export function originOf(modelId: string): Origin {
  const slash = modelId.indexOf("/");
  return { provider: modelId.slice(0, Math.max(0, slash)), model: modelId.slice(slash + 1) };
}

/** Whether opaque blocks of the one may go to the other. */
export function sameOrigin(one: Origin, other: Origin): boolean {
  return one.provider === other.provider && one.model === other.model;
}

/** No tokens at all: where a sum starts. */
export const noUsage: Usage = Object.freeze({ input: 0, cacheRead: 0, cacheWrite: 0, output: 0 });

/** The four counters, added up one by one; an estimate makes the sum one. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    output: a.output + b.output,
    ...((a.estimated === true || b.estimated === true) && { estimated: true }),
  };
}

/** Every token that counts towards a token budget: read or written, cached or not. */
export function totalTokens(usage: Usage): number {
  return usage.input + usage.cacheRead + usage.cacheWrite + usage.output;
}

/** The text of a message, its text blocks joined; tool calls and opaque blocks are left out. */
export function textOf(message: Message): string {
  return message.content
    .filter((block): block is TextBlock => block.type === "text")
    .map((block) => block.text)
    .join("");
}

/** The tool calls of an assistant message, in the order they were made. */
export function toolUsesOf(message: AssistantMessage): ToolUseBlock[] {
  return message.content.filter((block): block is ToolUseBlock => block.type === "tool_use");
}

const harnessMark = "[harness] ";

/** A word of the harness among the user's, marked so that neither model nor program takes it for theirs. */
export function fromHarness(text: string): TextBlock {
  return { type: "text", text: harnessMark + text };
}

/** Whether a text is a word of the harness to the model, not of the user. */
export function isFromHarness(text: string): boolean {
  return text.startsWith(harnessMark);
}
