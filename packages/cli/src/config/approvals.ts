/** The commands that a person answered "always" to: kept with croft's state, out of any project, one list for each. */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { messageOf, type Approval, type Approvals } from "@croft/harness";
import { assertStateHome, readRecord, writeRecord } from "./record.ts";

/**
 * Approvals of a project, read anew each time: one may be forgotten while croft is at work. `onError`: told why one is
 * forgotten when croft ends.
 */
export function approvalsOf(stateHome: string | undefined, root: string, onError: (why: string) => void): Approvals {
  const unsaved: Approval[] = [];
  return {
    list: () => [...savedApprovals(stateHome, root), ...unsaved],
    add(approval) {
      try {
        save(stateHome, root, [...savedApprovals(stateHome, root), approval]);
      } catch (thrown) {
        unsaved.push(approval);
        onError(messageOf(thrown));
      }
    },
  };
}

/** What cannot be read approves nothing. */
export function savedApprovals(stateHome: string | undefined, root: string): Approval[] {
  if (stateHome === undefined) return [];
  const value = readRecord(recordPath(stateHome)).get(root);
  return Array.isArray(value) ? value.filter(isApproval) : [];
}

/** Forgets the one with this name; false if there is none. Throws UsageError E_STATE. */
export function forgetApproval(stateHome: string | undefined, root: string, name: string): boolean {
  const saved = savedApprovals(stateHome, root);
  const rest = saved.filter((approval) => nameOf(approval) !== name);
  if (rest.length === saved.length) return false;
  save(stateHome, root, rest);
  return true;
}

/** A short name that stays the same. */
export function nameOf(approval: Approval): string {
  return createHash("sha256").update(JSON.stringify(approval)).digest("hex").slice(0, 8);
}

function save(stateHome: string | undefined, root: string, approvals: readonly Approval[]): void {
  assertStateHome(stateHome);
  const path = recordPath(stateHome);
  const record = new Map(readRecord(path));
  if (approvals.length === 0) record.delete(root);
  else record.set(root, approvals);
  writeRecord(path, record);
}

function recordPath(stateHome: string): string {
  return join(stateHome, "croft", "commands.json");
}

function isApproval(value: unknown): value is Approval {
  if (typeof value !== "object" || value === null) return false;
  const { command, cwd, enclosed, outside, hosts, programs }: Partial<Record<keyof Approval, unknown>> = value;
  return (
    (typeof command === "string" || isTexts(command)) &&
    typeof cwd === "string" &&
    typeof enclosed === "boolean" &&
    (outside === undefined || typeof outside === "string") &&
    isTexts(hosts) &&
    Array.isArray(programs) &&
    programs.every(isProgram)
  );
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}

function isProgram(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("path" in value) || !("hash" in value)) return false;
  return typeof value.path === "string" && typeof value.hash === "string";
}
