/** The tool with which a model keeps the list of its work. */

import { z } from "zod";
import type { Todo } from "../../event.ts";
import { defineTool, type Tool } from "../tool.ts";
import { text } from "./input.ts";
import description from "./todo.md";

const mostItems = 40;
const mostCharacters = 200;

const input = () => {
  const item = z.strictObject({
    text: text().overwrite(asOneLine).min(1, "must not be empty").max(mostCharacters),
    state: z.enum(["pending", "doing", "done"]),
  });
  return z.strictObject({ items: z.array(item).max(mostItems) });
};

function asOneLine(said: string): string {
  return said.replaceAll(/\s+/g, " ").trim();
}

/** Says how far the list is. The list itself is in `details`, from which a session keeps it. */
export const todo: Tool = defineTool({
  name: "todo",
  description,
  input,
  effect: "read",
  async run({ items }) {
    const details: { todos: readonly Todo[] } = { todos: items };
    const done = items.filter(({ state }) => state === "done").length;
    const said = items.length === 0 ? "The list is empty." : `${done} of ${items.length} done.`;
    return { content: [{ type: "text", text: said }], details };
  },
});
