/** What would be decided, by which rule, in process and in the sandbox: asked of the very policies and the very gate. */

import { existsSync, realpathSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import {
  codeGate,
  commandAccess,
  commandPolicy,
  projectPolicy,
  type Action,
  type CommandLine,
  type CommandPart,
  type CommandVerdict,
  type PathVerdict,
  type Rule,
} from "@croft/harness";
import { commandRulesOf, type Settings } from "../config/settings.ts";

export type Outcome = "allow" | "ask" | "refuse";
/** As things stand, and with --yes. */
export type Outcomes = { usual: Outcome; yes: Outcome };

export type ExplainedPath = {
  /** As resolved, relative to the project; undefined: outside. */
  path: string | undefined;
  asked: string;
  read: PathVerdict & Outcomes;
  write: PathVerdict & Outcomes;
  /** What commands in the sandbox can do with it. */
  sandbox: { read: boolean; write: boolean };
};

export type ExplainedCommand = {
  command: CommandLine;
  verdict: CommandVerdict;
  /** An outer command before those within it. */
  parts: readonly CommandPart[];
  sandbox: Outcomes;
  noSandbox: Outcomes;
};

/** `rules`: of the user and of croft. */
type Project = { root: string; rules: readonly Rule[] };

export async function explainPath(
  asked: string,
  { root, rules }: Project,
  signal: AbortSignal,
): Promise<ExplainedPath> {
  const path = within(root, asked);
  if (path === undefined) {
    const never = { decision: "deny", rule: "a path outside the project", usual: "refuse", yes: "refuse" } as const;
    return { path, asked, read: never, write: never, sandbox: { read: false, write: false } };
  }
  const policy = projectPolicy(rules, root);
  const read = policy.judge(path, "read");
  const write = policy.judge(path, "write");
  return {
    path,
    asked,
    read: { ...read, ...(await outcomesOf({ kind: "read", asked, path, verdict: read }, signal)) },
    write: {
      ...write,
      ...(await outcomesOf({ kind: "write", changes: [{ asked, path, verdict: write, diff: "" }] }, signal)),
    },
    sandbox: commandAccess(policy, path),
  };
}

export async function explainCommand(
  command: CommandLine,
  settings: Settings,
  signal: AbortSignal,
): Promise<ExplainedCommand> {
  const policy = commandPolicy(commandRulesOf(settings));
  const verdict = policy.judge(command);
  const action = { kind: "run", command, cwd: ".", verdict, hosts: [], programs: [] } as const;
  return {
    command,
    verdict,
    parts: policy.explain(command),
    sandbox: await outcomesOf({ ...action, enclosed: true }, signal),
    noSandbox: await outcomesOf({ ...action, enclosed: false }, signal),
  };
}

async function outcomesOf(action: Action, signal: AbortSignal): Promise<Outcomes> {
  return {
    usual: await outcomeOf(action, { yes: false }, signal),
    yes: await outcomeOf(action, { yes: true }, signal),
  };
}

async function outcomeOf(action: Action, { yes }: { yes: boolean }, signal: AbortSignal): Promise<Outcome> {
  let asked = false;
  const gate = codeGate({
    yes,
    async ask() {
      asked = true;
      return { allowed: false };
    },
  });
  const { allowed } = await gate(action, signal);
  if (asked) return "ask";
  return allowed ? "allow" : "refuse";
}

/** Where it leads, relative to the root; undefined: outside. */
function within(root: string, asked: string): string | undefined {
  const full = isAbsolute(asked) ? asked : join(root, asked);
  const path = relative(root, existsSync(full) ? realpathSync(full) : full);
  return path === ".." || path.startsWith("../") || isAbsolute(path) ? undefined : path || ".";
}
