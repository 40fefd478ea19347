/** The gate of a session that changes files and runs programs: the permission table, and one switch. */

import type { Action } from "./action.ts";
import { approvalOf, approves, canBeKept, type Approvals } from "./approval.ts";
import type { Gate, Verdict } from "./gate.ts";
import { oneAtATime, type Ask } from "./questions.ts";
import { allowed, denied, nobody } from "./verdicts.ts";

/** Who is asked, and what is not asked about. */
export type CodeGateOptions = {
  /** Absent: nobody can be asked, and what would be a question is refused. */
  ask?: Ask | undefined;
  /**
   * The user has said yes to ordinary changes, and to commands that no rule knows while a sandbox holds them. A
   * function is asked about each action anew.
   */
  yes: boolean | (() => boolean);
  /** Hosts that the user lets commands reach; another one is a question. */
  hosts?: readonly string[] | undefined;
  /** Commands that are not asked about again; what a person answers "always" to is added. */
  approvals?: Approvals | undefined;
  /** The user wants commands to run without a sandbox, by the same rules as in one. */
  unconfined?: boolean | undefined;
};

/** What an action takes: nothing, the user's yes to all such, a question of its own; or it is never done. */
type Need = "nothing" | "yes" | "question" | "never";

const noYes: Verdict = {
  ...nobody([]),
  note: `${nobody([]).note} The user can allow it beforehand with --yes.`,
  unasked: "coveredByYes",
};

/**
 * Follows the policy for reading. A change is a question, an ordinary one unless the user said `yes`. A command runs
 * unasked in a sandbox alone, unless the user is `unconfined`: one that a rule allows, and with `yes` one that no rule
 * knows. What is to leave the sandbox, or reaches a host that the user did not name, is always a question. A file that a
 * person opened to the model stays open to reading: what is shown once cannot be taken back. Nothing is decided before
 * it is resolved.
 */
export function codeGate({ ask, yes, hosts = [], approvals, unconfined = false }: CodeGateOptions): Gate {
  const question = ask === undefined ? undefined : oneAtATime(remembering(ask, approvals));
  const opened = new Set<string>();
  const isYes = (): boolean => (typeof yes === "function" ? yes() : yes);
  return async (action, signal) => {
    const need = needOf(action, { hosts, unconfined });
    if (need === "never") return denied;
    if (need === "nothing" || (need === "yes" && isYes())) return allowed;
    if (canBeKept(action) && approvals?.list().some((one) => approves(one, action)) === true) return allowed;
    if (question === undefined) return need === "yes" ? noYes : nobody(whyAsked(action, { hosts, unconfined }));
    if (action.kind !== "read" || action.path === undefined) return question(action, signal);
    if (opened.has(action.path)) return allowed;
    const verdict = await question(action, signal);
    if (verdict.allowed) opened.add(action.path);
    return verdict;
  };
}

/** Hands on what a person says, and keeps what they said "always" to. */
function remembering(ask: Ask, approvals: Approvals | undefined): Ask {
  return async (action, signal) => {
    const answer = await ask(action, signal);
    if (answer.allowed && answer.always === true && canBeKept(action)) approvals?.add(approvalOf(action));
    return answer;
  };
}

/** What the user said beforehand about commands. */
type Freedom = { hosts: readonly string[]; unconfined: boolean };

function needOf(action: Action, freedom: Freedom): Need {
  if (action.kind === "write") return needOfWrite(action);
  if (action.kind === "run") return needOfRun(action, freedom);
  return decisionNeeds[action.verdict?.decision ?? "allow"];
}

const decisionNeeds = { allow: "nothing", ask: "question", deny: "never" } as const;

/** The strictest of its changes decides. */
function needOfWrite({ changes }: Action & { kind: "write" }): Need {
  const decisions = new Set(changes.map(({ verdict }) => verdict?.decision));
  if (decisions.has("deny")) return "never";
  if (decisions.has("ask")) return "question";
  return decisions.has("allow") ? "yes" : "nothing";
}

function needOfRun(action: Action & { kind: "run" }, freedom: Freedom): Need {
  const { decision } = action.verdict;
  if (decision === "deny") return "never";
  if (whyRunAsked(action, freedom).length > 0) return "question";
  return decision === "allow" ? "nothing" : "yes";
}

/** What makes an action a question of its own, in words for the model and a person. */
function whyAsked(action: Action, freedom: Freedom): readonly string[] {
  if (action.kind === "run") return whyRunAsked(action, freedom);
  const verdicts = action.kind === "write" ? action.changes.map(({ verdict }) => verdict) : [action.verdict];
  const asking = verdicts.filter((verdict) => verdict?.decision === "ask");
  return [...new Set(asking.flatMap((verdict) => verdict?.rule ?? []))];
}

/** Empty: by itself the command is none. */
function whyRunAsked(action: Action & { kind: "run" }, { hosts: free, unconfined }: Freedom): readonly string[] {
  const { verdict, enclosed, outside, hosts } = action;
  const others = hosts.filter((host) => !free.includes(host));
  return [
    ...(verdict.decision === "ask" ? [verdict.rule] : []),
    ...(outside === undefined ? [] : ["it leaves the sandbox"]),
    ...(outside === undefined && !enclosed && !unconfined ? ["there is no sandbox"] : []),
    ...(others.length === 0 ? [] : [`it reaches ${others.join(", ")}`]),
  ];
}
