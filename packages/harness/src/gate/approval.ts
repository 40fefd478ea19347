/** "Always allow": what a person approved, as data that can be kept, and nothing beside it. */

import type { Action } from "./action.ts";

type Run = Extract<Action, { kind: "run" }>;

/** What a person approved once and for all in one project. Where it is kept must be out of a model's reach. */
export interface Approvals {
  list(): readonly Approval[];
  /** Never throws: one that cannot be kept holds as long as this object lives. */
  add(approval: Approval): void;
}

/** All that was shown when the question was put. `verdict` is no part of it: rules change, the command stays. */
export type Approval = Pick<Run, "command" | "cwd" | "enclosed" | "outside" | "hosts" | "programs">;

/**
 * Only for the very same command: a prefix, a pattern or another folder would be more than the person has seen. Plain
 * JSON.
 */
export function approvalOf({ command, cwd, enclosed, outside, hosts, programs }: Run): Approval {
  return { command, cwd, enclosed, hosts, programs, ...(outside === undefined ? {} : { outside }) };
}

/**
 * Whether an "always" counts. What leaves the sandbox is asked about each time: `npm run deploy` says nothing of what a
 * model has meanwhile made of the script, nor, in a shell that was changed, of what `npm` means there.
 */
export function canBeKept(action: Action): action is Run {
  return action.kind === "run" && action.outside === undefined && action.changedShell !== true;
}

/** Whether the action is what was approved. What the rules deny stays denied. */
export function approves(approval: Approval, action: Action): boolean {
  if (action.kind !== "run" || action.verdict.decision === "deny") return false;
  return canonical(approval) === canonical(approvalOf(action));
}

/** Hosts and programs are sets; all else is compared as it stands. */
function canonical({ command, cwd, enclosed, outside, hosts, programs }: Approval): string {
  const files = programs.map(({ path, hash }) => JSON.stringify([path, hash])).toSorted();
  return JSON.stringify([command, cwd, enclosed, outside ?? null, hosts.toSorted(), files]);
}
