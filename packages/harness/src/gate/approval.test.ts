import { expect, test } from "vitest";
import type { Action } from "./action.ts";
import { approvalOf, approves } from "./approval.ts";

type Run = Extract<Action, { kind: "run" }>;

const approved: Run = {
  kind: "run",
  command: ["npm", "run", "deploy"],
  cwd: "packages/a",
  verdict: { decision: "unlisted", rule: "no rule is about it", profile: "plain" },
  enclosed: true,
  hosts: ["a.example", "b.example"],
  programs: [{ path: "x.sh", hash: "1" }],
};

function covers(action: Action, from: Run = approved): boolean {
  return approves(JSON.parse(JSON.stringify(approvalOf(from))), action);
}

test("an approval that was kept as JSON covers the same command again", () => {
  expect(covers(approved)).toBe(true);
  expect(covers({ ...approved, hosts: ["b.example", "a.example"] })).toBe(true);
  expect(covers({ ...approved, verdict: { decision: "ask", rule: "another", profile: "git" } })).toBe(true);
  const text = { ...approved, command: "git push && git status", outside: "it needs the network" };
  expect(covers(text, text)).toBe(true);
});

test("it covers nothing beside", () => {
  const others: readonly Action[] = [
    { ...approved, command: ["npm", "run", "deploy", "--force"] },
    { ...approved, command: ["npm", "run"] },
    { ...approved, command: "npm run deploy" },
    { ...approved, cwd: "packages/b" },
    { ...approved, enclosed: false },
    { ...approved, outside: "it needs the network" },
    { ...approved, hosts: ["a.example"] },
    { ...approved, hosts: [...approved.hosts, "c.example"] },
    { ...approved, programs: [{ path: "x.sh", hash: "2" }] },
    { ...approved, programs: [] },
    { ...approved, verdict: { decision: "deny", rule: "a rule", profile: "plain" } },
    { kind: "read", asked: "a" },
  ];
  expect(others.filter((action) => covers(action))).toEqual([]);
});
