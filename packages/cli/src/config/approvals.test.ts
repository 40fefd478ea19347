import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Approval } from "@croft/harness";
import { approvalsOf, forgetApproval, nameOf, savedApprovals } from "./approvals.ts";

let state: string;
beforeEach(() => void (state = mkdtempSync(join(tmpdir(), "croft-approvals-"))));
afterEach(() => rmSync(state, { recursive: true }));

const push: Approval = {
  command: ["git", "push"],
  cwd: ".",
  enclosed: false,
  outside: "to push",
  hosts: [],
  programs: [],
};
const line: Approval = {
  command: "a | b",
  cwd: "sub",
  enclosed: true,
  hosts: ["x.example"],
  programs: [{ path: "a", hash: "1" }],
};
const fails = (why: string): never => {
  throw new Error(why);
};

test("approvals are kept for one project, for this user alone, and can be forgotten one by one", () => {
  const approvals = approvalsOf(state, "/p", fails);
  approvals.add(push);
  approvals.add(line);
  expect([approvals.list(), savedApprovals(state, "/p"), savedApprovals(state, "/other")]).toEqual([
    [push, line],
    [push, line],
    [],
  ]);
  const file = join(state, "croft/commands.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect([forgetApproval(state, "/p", nameOf(push)), forgetApproval(state, "/p", nameOf(push))]).toEqual([true, false]);
  expect(savedApprovals(state, "/p")).toEqual([line]);
  forgetApproval(state, "/p", nameOf(line));
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({});
});

test("a record that was damaged approves nothing", () => {
  approvalsOf(state, "/p", fails).add(push);
  const file = join(state, "croft/commands.json");
  for (const text of ["", "7", '{"/p":7}', '{"/p":[7,null,{},{"command":["x"]}]}']) {
    writeFileSync(file, text);
    expect(savedApprovals(state, "/p")).toEqual([]);
  }
});

test("one that cannot be kept holds for this run, and that is told", () => {
  const told: string[] = [];
  const approvals = approvalsOf(undefined, "/p", (why) => void told.push(why));
  approvals.add(push);
  expect([approvals.list(), told]).toEqual([[push], ["No home folder is known to keep it in."]]);
});
