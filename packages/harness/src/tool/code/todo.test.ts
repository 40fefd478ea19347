import { expect, onTestFinished, test } from "vitest";
import { todosIn } from "../../session/todos.ts";
import { openProject, type Project } from "./project.testing.ts";
import { todo } from "./todo.ts";

function project(): Project {
  const opened = openProject({});
  onTestFinished(() => opened[Symbol.dispose]());
  return opened;
}

test("the list is counted for the model and whole for people, each item on one line", async () => {
  const items = [
    { text: " Read\nit ", state: "done" },
    { text: "Change it", state: "doing" },
  ];
  const { content, details } = await project().result(todo, { items });
  expect(content).toEqual([{ type: "text", text: "1 of 2 done." }]);
  const [read, change] = items;
  expect(todosIn(details)).toEqual([{ ...read, text: "Read it" }, change]);
});

test("a list can be emptied, and has its limits", async () => {
  const at = project();
  expect((await at.call(todo, { items: [] })).lines).toEqual(["The list is empty."]);
  const item = { text: "x", state: "pending" };
  expect(await at.failure(todo, { items: Array.from({ length: 41 }, () => item) })).toMatch(/^Invalid input: items: /);
  expect(await at.failure(todo, { items: [{ ...item, text: "x".repeat(201) }] })).toMatch(
    /^Invalid input: items.0.text: /,
  );
  expect(await at.failure(todo, { items: [{ ...item, text: " \n" }] })).toContain("items.0.text: must not be empty");
  expect(await at.failure(todo, { items: [{ ...item, state: "later" }] })).toMatch(/^Invalid input: items.0.state: /);
});

test("details that hold no list, or half of one, are none", () => {
  const bad = [
    undefined,
    null,
    [],
    {},
    { todos: {} },
    { todos: [{ text: "x" }] },
    { todos: [{ text: 1, state: "done" }] },
  ];
  expect(bad.map(todosIn)).toEqual(bad.map(() => undefined));
  expect(todosIn({ todos: [] })).toEqual([]);
});
