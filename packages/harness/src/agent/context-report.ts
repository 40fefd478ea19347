/** What fills the context of a model: for people, from what the next request would be. */

import { isFromHarness, type Message } from "../message.ts";
import type { AgentOptions } from "./agent.ts";
import { countedBefore, fullAt } from "./compaction.ts";
import { bytesOfBlock, fixedBytes, tokensIn } from "./prompt-size.ts";
import { requestFor } from "./request.ts";

/** harness: what croft said among the user's words, such as what was attached. */
export type ContextPart = "system" | "memory" | "tools" | "user" | "harness" | "assistant" | "results" | "images";

/** All in tokens. Only a service can count; the parts are shares by bytes of `used`, and add up to it about. */
export type ContextReport = {
  /** What the model takes. */
  of: number;
  /** The next request, were nothing more said. */
  used: number;
  /** As a service counted the last request; undefined before the first, and where the session was compacted since. */
  counted: number | undefined;
  parts: Readonly<Record<ContextPart, number>>;
  /** Notes take the place of what was said first once a request is longer. */
  compactsAt: number;
  /** Up to there. */
  free: number;
};

type Block = Message["content"][number];
type Size = readonly [part: ContextPart, bytes: number];

/** `ownSystem`: so many blocks of the system prompt are the assembly's own; what follows are memory files. Pure. */
export function contextReport(options: AgentOptions, ownSystem: number): ContextReport {
  const { session, model } = options;
  const asking = { options, session, start: session.messages.length };
  const { system, tools, messages } = requestFor(session.messages, asking);
  const fixed: Size[] = [
    ["system", fixedBytes({ system: system.slice(0, ownSystem), tools: [] })],
    ["memory", system.length > ownSystem ? fixedBytes({ system: system.slice(ownSystem), tools: [] }) : 0],
    ["tools", tools.length > 0 ? fixedBytes({ system: [], tools }) : 0],
  ];
  const sizes = [
    ...fixed,
    ...messages.flatMap(({ role, content }) => content.flatMap((block) => sizesIn(role, block))),
  ];
  const bytes = sum(sizes);
  const counted = countedBefore(sum(fixed), asking);
  const used = Math.round(tokensIn(bytes, counted));
  const shareOf = (part: ContextPart): number => {
    return Math.round((sum(sizes.filter(([name]) => name === part)) * used) / bytes);
  };
  const compactsAt = Math.floor(fullAt(options));
  return {
    of: model.context,
    used,
    counted: counted?.tokens,
    parts: {
      system: shareOf("system"),
      memory: shareOf("memory"),
      tools: shareOf("tools"),
      user: shareOf("user"),
      harness: shareOf("harness"),
      assistant: shareOf("assistant"),
      results: shareOf("results"),
      images: shareOf("images"),
    },
    compactsAt,
    free: Math.max(0, compactsAt - used),
  };
}

function sizesIn(role: Message["role"], block: Block): Size[] {
  if (role === "assistant") return [["assistant", bytesOfBlock(block)]];
  if (block.type === "tool_result") {
    return block.content.map((part) => [part.type === "image" ? "images" : "results", bytesOfBlock(part)]);
  }
  if (block.type === "image") return [["images", bytesOfBlock(block)]];
  const isWord = block.type === "text" && isFromHarness(block.text);
  return [[isWord ? "harness" : "user", bytesOfBlock(block)]];
}

function sum(sizes: readonly Size[]): number {
  return sizes.reduce((all, [, bytes]) => all + bytes, 0);
}
