/** What in project files the user agreed to: by the project's path and the hash of what was shown. */

import { join } from "node:path";
import { assertStateHome, readRecord, writeRecord } from "./record.ts";

/** Whether just this was agreed to in this project. A record that cannot be read is none. */
export function isTrusted(stateHome: string | undefined, root: string, hash: string): boolean {
  return stateHome !== undefined && readRecord(recordPath(stateHome)).get(root) === hash;
}

/** Records it, for this user alone. Throws UsageError E_STATE. */
export function trust(stateHome: string | undefined, root: string, hash: string): void {
  assertStateHome(stateHome);
  const path = recordPath(stateHome);
  writeRecord(path, new Map(readRecord(path)).set(root, hash));
}

function recordPath(stateHome: string): string {
  return join(stateHome, "croft", "trusted.json");
}
