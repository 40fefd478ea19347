import { expect, test } from "vitest";
import type { Action } from "../gate/action.ts";
import { hiddenAction } from "./action.ts";
import { createRedactor } from "./redactor.ts";

const password = "q7Vb2LxWm9RtZc4K";
const { text } = createRedactor(Buffer.from("a salt")).hide(`password=${password}`);
const placeholder = text.slice(9);

function hidden(action: Action): Action {
  const redactor = createRedactor(Buffer.from("a salt"));
  return hiddenAction(action, (given) => redactor.hide(given).text);
}

const run: Action = {
  kind: "run",
  command: ["login", "--password", password, "--as", "me"],
  cwd: ".",
  verdict: { decision: "unlisted", rule: "none", profile: "plain" },
  enclosed: true,
  outside: `it needs password=${password}`,
  hosts: ["example.com"],
  programs: [],
};

test("what is told of a command has no secret, also one that only the argument before it gives away", () => {
  expect(hidden(run)).toEqual({
    ...run,
    command: ["login", "--password", placeholder, "--as", "me"],
    outside: `it needs password=${placeholder}`,
  });
  const line = { ...run, command: `login --password ${password}`, outside: undefined };
  expect(hidden(line)).toEqual({ ...line, command: `login --password ${placeholder}` });
});

test("what is told of a change has no secret in its diff", () => {
  const change = { asked: "a", path: "a", diff: `@@ -1 +1 @@\n-password=${password}\n+password=\n` };
  expect(hidden({ kind: "write", changes: [change] })).toEqual({
    kind: "write",
    changes: [{ ...change, diff: `@@ -1 +1 @@\n-password=${placeholder}\n+password=\n` }],
  });
});

test("what is told of a look is all of it", () => {
  const search: Action = { kind: "search", asked: ".", pattern: "password" };
  expect(hidden(search)).toBe(search);
});
