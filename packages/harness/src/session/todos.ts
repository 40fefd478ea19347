/** The list that a model keeps of its work, as a result holds it. */

import type { Todo } from "../event.ts";
import { isObject } from "../json.ts";

const states: ReadonlySet<unknown> = new Set<Todo["state"]>(["pending", "doing", "done"]);

/** The list in the `details` of a result; undefined where they hold none. They may come from a log somebody else wrote. */
export function todosIn(details: unknown): readonly Todo[] | undefined {
  const todos = isObject(details) ? details["todos"] : undefined;
  return Array.isArray(todos) && todos.every(isTodo) ? todos : undefined;
}

function isTodo(value: unknown): value is Todo {
  return isObject(value) && typeof value["text"] === "string" && states.has(value["state"]);
}
