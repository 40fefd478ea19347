import type { Todo } from "@croft/harness";
import { escapeLine } from "./escape.ts";
import type { Paint } from "./paint.ts";

const marks: Readonly<Record<Todo["state"], string>> = { pending: "[ ]", doing: "[>]", done: "[x]" };

/** The model's list of its work as a checklist; what is done steps back. */
export function todoLines(todos: readonly Todo[], paint: Paint): string[] {
  return todos.map(({ text, state }) => {
    const line = `   ${marks[state]} ${escapeLine(text)}`;
    return state === "done" ? paint.dim(line) : line;
  });
}
