/** Where undo keeps what was there before: one folder for each project, outside all of them. */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { UsageError } from "../usage.ts";

/** The folder for a project, by the real path of its root. Throws UsageError E_NO_STATE where no home is known. */
export function undoStore(stateHome: string | undefined, root: string): string {
  if (stateHome === undefined) {
    throw new UsageError("E_NO_STATE", "Undo has no place: no home folder is known.", "Set HOME or XDG_STATE_HOME.");
  }
  const key = createHash("sha256").update(root).digest("hex").slice(0, 32);
  return join(stateHome, "croft", "undo", key);
}
