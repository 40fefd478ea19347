import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import type { Decision } from "../policy/policy.ts";
import type { Action } from "./action.ts";
import type { Ask } from "./questions.ts";
import { policyGate, strictGate } from "./rules.ts";

const signal = new AbortController().signal;

function read(asked: string, decision?: Decision, path = asked): Action {
  return decision === undefined
    ? { kind: "read", asked }
    : { kind: "read", asked, path, verdict: { decision, rule: "test" } };
}

function write(...decisions: Decision[]): Action {
  const changes = decisions.map((decision, index) => ({
    asked: `${index}.txt`,
    path: `${index}.txt`,
    verdict: { decision, rule: "test" },
    diff: "+x",
  }));
  return { kind: "write", changes };
}

/** Notes what is asked and answers with `answers` in turn. */
function person(...answers: boolean[]): { ask: Ask; asked: Action[] } {
  const asked: Action[] = [];
  const ask: Ask = async (action) => {
    asked.push(action);
    return { allowed: answers[asked.length - 1] ?? false, note: `answer ${asked.length}` };
  };
  return { ask, asked };
}

test("the policy gate allows what is unresolved or allowed and asks nobody", async () => {
  const { ask, asked } = person();
  const gate = policyGate(ask);
  const verdicts = await Promise.all(
    [read("a"), read("a", "allow"), write("allow", "allow")].map((action) => gate(action, signal)),
  );
  expect(verdicts).toEqual([1, 2, 3].map(() => ({ allowed: true, by: "rule" })));
  expect(asked).toEqual([]);
});

test("the policy gate asks where the policy does, and passes the answer and the note on", async () => {
  const { ask, asked } = person(true, false);
  const gate = policyGate(ask);
  expect(await gate(read(".env", "ask"), signal)).toEqual({ allowed: true, by: "person", note: "answer 1" });
  expect(await gate(write("allow", "ask"), signal)).toEqual({ allowed: false, by: "person", note: "answer 2" });
  expect(asked).toEqual([read(".env", "ask"), write("allow", "ask")]);
});

test("what is denied is refused unasked, also as one of several", async () => {
  const { ask, asked } = person(true);
  const note = "the rules of this project do not allow it.";
  expect(await policyGate(ask)(write("ask", "deny"), signal)).toEqual({ allowed: false, by: "rule", note });
  expect(await strictGate(ask)(read(".git", "deny"), signal)).toEqual({ allowed: false, by: "rule", note });
  expect(asked).toEqual([]);
});

test("with nobody to ask, a question is a refusal that says so", async () => {
  const note = "it needs a person's approval, and nobody can be asked in this run.";
  const failing: Ask = () => Promise.reject(new Error("no terminal"));
  const refused = { allowed: false, by: "rule", note, unasked: "personOnly" };
  expect(await policyGate()(read(".env", "ask"), signal)).toEqual(refused);
  expect(await policyGate(failing)(read(".env", "ask"), signal)).toEqual(refused);
});

test("the strict gate asks before anything is resolved and not again for the same place", async () => {
  const { ask, asked } = person(true, true, true);
  const gate = strictGate(ask);
  const actions = [read("a"), read("a", "allow"), read("./.env"), read("./.env", "ask", ".env")];
  const verdicts = [];
  for (const action of actions) verdicts.push((await gate(action, signal)).by);
  expect(verdicts).toEqual(["person", "rule", "person", "rule"]);
  expect(asked).toEqual([read("a"), read("./.env")]);
});

test("the strict gate asks again where a link leads to what the policy asks about, and for the diff of a write", async () => {
  const { ask, asked } = person(true, false);
  const gate = strictGate(ask);
  expect((await gate(read("notes", "ask", ".env"), signal)).allowed).toBe(true);
  expect((await gate(write("allow"), signal)).allowed).toBe(false);
  expect(asked).toEqual([read("notes", "ask", ".env"), write("allow")]);
});

test("questions are put one at a time, in the order they came", async () => {
  const events: string[] = [];
  const releases: (() => void)[] = [];
  const gate = policyGate(async (action) => {
    const name = action.kind === "read" ? action.asked : "";
    events.push(`put ${name}`);
    await new Promise<void>((release) => releases.push(release));
    events.push(`answered ${name}`);
    return { allowed: true };
  });
  const answers = ["a", "b", "c"].map((name) => gate(read(name, "ask"), signal));
  for (const answer of answers) {
    await settled();
    releases.shift()?.();
    await answer;
  }
  expect(events).toEqual(["put a", "answered a", "put b", "answered b", "put c", "answered c"]);
});

test("an aborted question is answered no, waiting or put, and the one behind it still waits its turn", async () => {
  const put: string[] = [];
  const gate = policyGate((action) => {
    put.push(action.kind === "read" ? action.asked : "");
    return new Promise(() => undefined);
  });
  const first = new AbortController();
  const second = new AbortController();
  const answers = [gate(read("a", "ask"), first.signal), gate(read("b", "ask"), second.signal)];
  void gate(read("c", "ask"), signal);
  second.abort();
  const no = { allowed: false, by: "rule", note: "it was cancelled before it was approved." };
  expect(await answers[1]).toEqual(no);
  await settled();
  expect(put).toEqual(["a"]);
  first.abort();
  expect(await answers[0]).toEqual(no);
  await settled();
  expect(put).toEqual(["a", "c"]);
  expect([first, second].flatMap((abort) => getEventListeners(abort.signal, "abort"))).toEqual([]);
});

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
