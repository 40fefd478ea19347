/** What the offline model knows: the question, the tools it has, and what they have answered since. Nothing else. */

import { isFromHarness, type Message, toolUsesOf } from "../../message.ts";
import type { ModelRequest } from "../model.ts";
import { languageOf, type Language } from "./language.ts";

export type Call =
  | {
      name: "search";
      input: { pattern: string; path?: string; glob?: string; literal?: true; ignore_case?: true; limit: number };
    }
  | { name: "read_file"; input: { path: string; offset: number; limit: number } }
  | { name: "list_files"; input: { path: string; depth?: number; glob?: string } };

export type ToolAnswer = { text: string; isError: boolean };

export type Conversation = {
  question: string;
  /** Earlier questions, last one first. */
  before: readonly string[];
  tools: ReadonlySet<string>;
  /** The language of a file, if it is one of those that are read. */
  languageOf(path: string): Language | undefined;
  /** Replies given to this question so far. */
  steps: number;
  /** Calls made in the whole conversation: where the numbering of the next ones starts. */
  calls: number;
  /** What a call was answered; undefined until it was made. */
  answered(call: Call): ToolAnswer | undefined;
};

/** What to do next: ask tools, or say it. */
export type Step = { calls: readonly Call[] } | { answer: string };

/** Characters of a question: nobody asks in more, and what is pasted behind would keep the patterns busy for minutes. */
const maxLength = 10_000;

/** Reads a request. A message of text asks; messages of tool results and replies belong to the question before them. */
export function conversationOf(
  request: Pick<ModelRequest, "messages" | "tools">,
  languages: readonly Language[],
): Conversation {
  const asks = request.messages
    .map((message, index) => ({ index, text: questionIn(message).slice(0, maxLength) }))
    .filter(({ text }) => text !== "");
  const current = asks.at(-1);
  const since = request.messages.slice((current?.index ?? -1) + 1);
  const uses = since.flatMap((message) => (message.role === "assistant" ? toolUsesOf(message) : []));
  const results = new Map(
    since
      .flatMap((message) => (message.role === "user" ? message.content : []))
      .filter((block) => block.type === "tool_result")
      .map((block) => [block.toolUseId, block]),
  );
  const answers = new Map<string, ToolAnswer>();
  for (const use of uses) {
    const result = results.get(use.id);
    if (result === undefined) continue;
    const text = result.content
      .flatMap((block) => (block.type === "text" ? [block.text] : []))
      .filter(isAnswer)
      .join("\n");
    answers.set(keyOf(use.name, use.input), { text, isError: result.isError });
  }
  return {
    question: current?.text ?? "",
    before: asks
      .slice(0, -1)
      .toReversed()
      .map(({ text }) => text),
    tools: new Set(request.tools.map(({ name }) => name)),
    languageOf: (path) => languageOf(path, languages),
    steps: since.filter(({ role }) => role === "assistant").length,
    calls: request.messages.flatMap((message) => (message.role === "assistant" ? toolUsesOf(message) : [])).length,
    answered: (call) => answers.get(keyOf(call.name, call.input)),
  };
}

/** The question of a message, or "". What was said and never answered may stand in one message with tool results. */
function questionIn(message: Message): string {
  if (message.role !== "user") return "";
  const texts = message.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  return texts
    .filter((text) => !isFromHarness(text))
    .join("\n")
    .trim();
}

/** Behind the answer of a tool the harness may have words of its own. */
function isAnswer(text: string): boolean {
  return !isFromHarness(text);
}

function keyOf(name: string, input: unknown): string {
  return `${name} ${JSON.stringify(input)}`;
}
