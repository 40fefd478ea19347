/** Folders that croft keeps for each project, outside all of them. */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { UsageError } from "../usage.ts";

/** Where undo keeps what was there before. `root`: a real path. Throws UsageError E_NO_STATE where no home is known. */
export function undoStore(stateHome: string | undefined, root: string): string {
  if (stateHome === undefined) {
    throw new UsageError("E_NO_STATE", "Undo has no place: no home folder is known.", "Set HOME or XDG_STATE_HOME.");
  }
  return join(stateHome, "croft", "undo", projectKey(root));
}

/** The name of a project's folder, by the real path of its root. */
export function projectKey(root: string): string {
  return createHash("sha256").update(root).digest("hex").slice(0, 32);
}
