import { expect, test } from "vitest";
import { codePolicy } from "../policy/presets.ts";
import type { Action } from "./action.ts";
import { approvalOf, type Approval, type Approvals } from "./approval.ts";
import { codeGate } from "./code.ts";
import type { CommandVerdict } from "./command.ts";

const signal = new AbortController().signal;
const policy = codePolicy();

function reading(path: string): Action {
  return { kind: "read", asked: path, path, verdict: policy.judge(path, "read") };
}

function writing(...paths: string[]): Action {
  const change = "update" as const;
  const changes = paths.map((path) => ({
    asked: path,
    path,
    change,
    verdict: policy.judge(path, "write"),
    diff: "+x\n",
  }));
  return { kind: "write", changes };
}

function running(decision: CommandVerdict["decision"], more: Partial<Action & { kind: "run" }> = {}): Action {
  const verdict = { decision, rule: "test", profile: "plain" } as const;
  return { kind: "run", command: ["x"], cwd: ".", verdict, enclosed: true, hosts: [], programs: [], ...more };
}

/** What becomes of an action: of a question, that it is put. */
async function outcome(
  action: Action,
  yes: boolean,
  hosts: readonly string[] = [],
): Promise<"allow" | "ask" | "refuse"> {
  let asked = false;
  const gate = codeGate({
    yes,
    hosts,
    async ask() {
      asked = true;
      return { allowed: true };
    },
  });
  const { allowed } = await gate(action, signal);
  if (asked) return "ask";
  return allowed ? "allow" : "refuse";
}

/** The permission table: an action, what becomes of it by default, and with `yes`. */
test.each([
  ["read an ordinary file", reading("src/a.ts"), "allow", "allow"],
  ["read an installed package", reading("node_modules/x/index.d.ts"), "allow", "allow"],
  ["read an environment file", reading(".env"), "ask", "ask"],
  ["read a key", reading("deploy/server.key"), "ask", "ask"],
  ["read git internals", reading(".git/config"), "refuse", "refuse"],
  ["edit an ordinary file", writing("src/a.ts"), "ask", "allow"],
  ["edit an environment file", writing(".env"), "ask", "ask"],
  ["edit a CI definition", writing(".github/workflows/ci.yml"), "ask", "ask"],
  ["edit an editor's tasks", writing(".vscode/tasks.json"), "ask", "ask"],
  ["edit another agent's file", writing(".claude/settings.json"), "ask", "ask"],
  ["edit a memory file", writing("docs/AGENTS.md"), "ask", "ask"],
  ["edit an installed package", writing("node_modules/x/index.js"), "ask", "ask"],
  ["edit ordinary files and a memory file at once", writing("a.ts", "AGENTS.md", "b.ts"), "ask", "ask"],
  ["edit git internals", writing(".git/hooks/pre-commit"), "refuse", "refuse"],
  ["edit a shell file", writing(".bashrc"), "refuse", "refuse"],
  ["edit croft's own configuration", writing(".croft/config.jsonc"), "refuse", "refuse"],
  ["edit an ordinary file and git internals at once", writing("a.ts", ".git/config"), "refuse", "refuse"],
  ["run what a rule allows, in the sandbox", running("allow"), "allow", "allow"],
  ["run what a rule allows, without one", running("allow", { enclosed: false }), "ask", "ask"],
  ["run what is always asked", running("ask"), "ask", "ask"],
  ["run what no rule knows, in the sandbox", running("unlisted"), "ask", "allow"],
  ["run what no rule knows, without one", running("unlisted", { enclosed: false }), "ask", "ask"],
  ["run outside the sandbox", running("allow", { outside: "to push" }), "ask", "ask"],
  ["run with a host the user did not name", running("allow", { hosts: ["a.example"] }), "ask", "ask"],
  ["run what is denied", running("deny"), "refuse", "refuse"],
])("to %s", async (_, action, plain, withYes) => {
  expect([await outcome(action, false), await outcome(action, true)]).toEqual([plain, withYes]);
});

test("a host that the user named is no question", async () => {
  expect(await outcome(running("allow", { hosts: ["a.example"] }), false, ["a.example"])).toBe("allow");
});

test("nothing is decided before it is resolved", async () => {
  expect(await outcome({ kind: "read", asked: ".git/config" }, false)).toBe("allow");
  expect(await outcome({ kind: "write", changes: [{ asked: "a.ts", diff: "" }] }, false)).toBe("allow");
});

test("with nobody to ask, a question is refused, and where a yes beforehand would do, that is said", async () => {
  const note = "it needs a person's approval, and nobody can be asked in this run.";
  const headless = codeGate({ yes: false });
  expect(await headless(writing("a.ts"), signal)).toEqual({
    allowed: false,
    by: "rule",
    note: `${note} The user can allow it beforehand with --yes.`,
    unasked: "coveredByYes",
  });
});

test.each([
  ["a secret", reading(".env"), "environment files, which may hold secrets"],
  ["files of which some ask", writing("a.ts", "AGENTS.md", "b/AGENTS.md"), "memory files"],
  ["a rule", running("ask"), "test"],
  ["no sandbox", running("allow", { enclosed: false }), "there is no sandbox"],
  ["leaving the sandbox", running("allow", { enclosed: false, outside: "its key" }), "it leaves the sandbox"],
  ["a host", running("ask", { hosts: ["a.example", "b.example"] }), "test; it reaches b.example"],
])("with nobody to ask, the refusal says what made it a question: %s", async (_, action, why) => {
  const note = `it needs a person's approval (${why}), and nobody can be asked in this run.`;
  const gate = codeGate({ yes: true, hosts: ["a.example"] });
  expect(await gate(action, signal)).toEqual({ allowed: false, by: "rule", note, unasked: "personOnly" });
});

test("what a person says is the answer, with their words", async () => {
  const gate = codeGate({ yes: false, ask: async () => ({ allowed: false, note: "use b.ts" }) });
  expect(await gate(writing("a.ts"), signal)).toEqual({ allowed: false, by: "person", note: "use b.ts" });
});

test("a file that a person opened is asked about once, for reading and not for writing", async () => {
  const asked: Action[] = [];
  const answers = [false, true, true];
  const gate = codeGate({
    yes: true,
    async ask(action) {
      asked.push(action);
      return { allowed: answers[asked.length - 1] ?? false };
    },
  });
  const actions = [reading(".env"), reading(".env"), reading(".env"), writing(".env"), reading("a/.env")];
  const verdicts: boolean[] = [];
  for (const action of actions) verdicts.push((await gate(action, signal)).allowed);
  expect(verdicts).toEqual([false, true, true, true, false]);
  expect(asked).toEqual([reading(".env"), reading(".env"), writing(".env"), reading("a/.env")]);
});

function approvalsIn(kept: Approval[]): Approvals {
  return { list: () => kept, add: (approval) => void kept.push(approval) };
}

test("what is always allowed is kept just as it was, and not asked about again; anything else about it is", async () => {
  const kept: Approval[] = [];
  let asked = 0;
  const ask = async (): Promise<{ allowed: boolean; always: boolean }> => {
    asked += 1;
    return { allowed: true, always: true };
  };
  const gate = codeGate({ yes: false, ask, approvals: approvalsIn(kept) });
  const program = { path: "x.sh", hash: "1" };
  const first = running("ask", { programs: [program] });
  for (let n = 0; n < 2; n++) expect((await gate(first, signal)).allowed).toBe(true);
  expect(kept).toEqual([{ command: ["x"], cwd: ".", enclosed: true, hosts: [], programs: [program] }]);
  expect(asked).toBe(1);
  await gate(writing("a.ts"), signal);
  const others = [
    { command: ["x", "y"] },
    { cwd: "sub" },
    { enclosed: false },
    { hosts: ["a.example"] },
    { outside: "x" },
  ];
  for (const other of others) await gate(running("ask", { programs: [program], ...other }), signal);
  await gate(running("ask", { programs: [{ ...program, hash: "2" }] }), signal);
  expect([asked, kept.length]).toEqual([8, 6]);
  const nobody = codeGate({ yes: false, approvals: approvalsIn(kept) });
  const denied = running("deny", { programs: [program] });
  expect([(await nobody(first, signal)).allowed, (await nobody(denied, signal)).allowed]).toEqual([true, false]);
});

test("what leaves the sandbox is asked about each time: an always said of it, then or once, does not count", async () => {
  const leaving = running("ask", { outside: "to deploy" });
  const kept: Approval[] = leaving.kind === "run" ? [approvalOf(leaving)] : [];
  let asked = 0;
  const ask = async (): Promise<{ allowed: boolean; always: boolean }> => {
    asked += 1;
    return { allowed: true, always: true };
  };
  const gate = codeGate({ yes: true, ask, approvals: approvalsIn(kept) });
  for (let n = 0; n < 2; n++) await gate(leaving, signal);
  expect([asked, kept.length]).toEqual([2, 1]);
  const nobody = codeGate({ yes: true, approvals: approvalsIn(kept) });
  expect((await nobody(leaving, signal)).allowed).toBe(false);
});

test("a no is a no, whatever stands beside it", async () => {
  const kept: Approval[] = [];
  const gate = codeGate({
    yes: false,
    ask: async () => ({ allowed: false, always: true }),
    approvals: approvalsIn(kept),
  });
  expect([(await gate(running("ask"), signal)).allowed, kept]).toEqual([false, []]);
});

test("who wants no sandbox gets the same rules without one; what leaves it, or reaches a host, stays a question", async () => {
  const gate = codeGate({ yes: true, unconfined: true });
  const outcome = async (action: Action): Promise<boolean> => (await gate(action, signal)).allowed;
  const plain = { enclosed: false };
  expect([
    await outcome(running("allow", plain)),
    await outcome(running("unlisted", plain)),
    await outcome(running("ask", plain)),
    await outcome(running("deny", plain)),
    await outcome(running("allow", { ...plain, outside: "x" })),
    await outcome(running("allow", { ...plain, hosts: ["a.example"] })),
  ]).toEqual([true, true, false, false, false, false]);
});
