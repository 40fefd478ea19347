/** Small records of this user's alone: a file of JSON with one value for each project, by the path of its root. */

import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf } from "@croft/harness";
import { UsageError } from "../usage.ts";

/** One that cannot be read is empty. */
export function readRecord(path: string): ReadonlyMap<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);
  } catch {
    return new Map();
  }
}

/** Replaces it as a whole. Throws UsageError E_STATE. */
export function writeRecord(path: string, record: ReadonlyMap<string, unknown>): void {
  const fresh = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(fresh, `${JSON.stringify(Object.fromEntries(record), undefined, 2)}\n`, { mode: 0o600, flag: "wx" });
    renameSync(fresh, path);
  } catch (cause) {
    throw new UsageError("E_STATE", `It cannot be recorded: ${messageOf(cause)}.`, remedy, cause);
  }
}

const remedy = "Set XDG_STATE_HOME to a folder of yours that can be written.";

/** Throws UsageError E_STATE where no home folder is known. */
export function assertStateHome(stateHome: string | undefined): asserts stateHome is string {
  if (stateHome === undefined) throw new UsageError("E_STATE", "No home folder is known to keep it in.", remedy);
}
