/** A temporary folder of a session's own. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Scratch extends Disposable {
  /** Absolute, links resolved. */
  readonly folder: string;
}

/** With these files, by name. Disposing removes it with all that is in it. Throws the system's error. */
export function openScratch(files: Readonly<Record<string, string>>): Scratch {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "croft-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Makes a folder if need be, for its owner alone. Its real path. Throws the system's error. */
export function ownFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return realpathSync(path);
}
