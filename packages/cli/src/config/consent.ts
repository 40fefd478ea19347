/** What in project files the user agreed to: by the project's path and the hash of what was shown. */

import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { messageOf } from "@croft/harness";
import { UsageError } from "../usage.ts";

/** Whether just this was agreed to in this project. A record that cannot be read is none. */
export function isTrusted(stateHome: string | undefined, root: string, hash: string): boolean {
  return stateHome !== undefined && readRecord(recordPath(stateHome)).get(root) === hash;
}

/** Records it, for this user alone. Throws UsageError E_STATE. */
export function trust(stateHome: string | undefined, root: string, hash: string): void {
  const remedy = "Set XDG_STATE_HOME to a folder of yours that can be written.";
  if (stateHome === undefined) throw new UsageError("E_STATE", "No home folder is known to keep it in.", remedy);
  const path = recordPath(stateHome);
  const record = new Map(readRecord(path)).set(root, hash);
  const fresh = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(fresh, `${JSON.stringify(Object.fromEntries(record), undefined, 2)}\n`, { mode: 0o600, flag: "wx" });
    renameSync(fresh, path);
  } catch (cause) {
    const reason = messageOf(cause);
    throw new UsageError("E_STATE", `It cannot be recorded: ${reason}.`, remedy, cause);
  }
}

function recordPath(stateHome: string): string {
  return join(stateHome, "croft", "trusted.json");
}

function readRecord(path: string): ReadonlyMap<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);
  } catch {
    return new Map();
  }
}
