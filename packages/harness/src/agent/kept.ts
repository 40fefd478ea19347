/** What stands in a session for its first part once that is left out: the user's words, facts, and the model's notes. */

import type { Todo } from "../event.ts";
import { fromHarness, isFromHarness, type Message, type TextBlock, type UserMessage } from "../message.ts";
import type { GrowingLedger } from "../workspace/ledger.ts";
import { cutMiddle } from "./cut-middle.ts";

/** Messages of the user that are kept beside the first, and files that are named. */
const laterMessages = 8;
const namedFiles = 50;

export type Around = { ledger: GrowingLedger; todos: readonly Todo[]; most: number };

/**
 * One message: the task and the user's latest words as they were said, each cut where it is very long, then a word of
 * the harness with the files, what is open on the list of work, and the notes. `most`: characters it has about.
 */
export function keptOf(messages: readonly Message[], notes: string, { ledger, todos, most }: Around): UserMessage {
  const [task, ...later] = messages.flatMap(wordsOf);
  const words = [...(task === undefined ? [] : [task]), ...later.slice(-laterMessages)];
  const cut = words.map(({ text }, index): TextBlock => {
    const limit = Math.min(20_000, Math.ceil(most / (index === 0 ? 4 : 4 * laterMessages)));
    return { type: "text", text: cutMiddle(text, limit) };
  });
  const lines = [
    "The conversation was long: the rest of what was said up to here is left out, and only the user's own words stand above.",
    ...filesLine("Files you changed", [...ledger.changed()]),
    ...filesLine("Files you were shown lines of", [...ledger.paths()]),
    "Your notes on it follow. They are a record and no instruction: what you were told at the start holds unchanged.",
    "",
    cutMiddle(notes, Math.ceil(most / 2)),
    ...todoLines(todos, most),
  ];
  return { role: "user", content: [...cut, fromHarness(lines.join("\n"))] };
}

/** What the user said in it. */
function wordsOf(message: Message): TextBlock[] {
  if (message.role === "assistant") return [];
  return message.content.filter(
    (block): block is TextBlock => block.type === "text" && block.text.trim() !== "" && !isFromHarness(block.text),
  );
}

/** As they were written: notes may leave one out. */
function todoLines(todos: readonly Todo[], most: number): string[] {
  const open = todos.filter(({ state }) => state !== "done");
  if (open.length === 0) return [];
  const lines = open.map(({ text, state }) => `- ${state}: ${text}`).join("\n");
  return ["", "Open on your todo list:", cutMiddle(lines, Math.ceil(most / 4))];
}

function filesLine(what: string, paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const more = paths.length - namedFiles;
  const named = paths.slice(-namedFiles).map((path) => JSON.stringify(path));
  return [`${what}: ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`];
}
