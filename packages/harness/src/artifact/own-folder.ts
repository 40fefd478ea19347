/** A folder of a session's own for what it keeps. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Among the system's temporary folders, for this user alone; gone with all that is in it when it is disposed. */
export function ownFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "croft-kept-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
