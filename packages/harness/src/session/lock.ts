/**
 * One process at a time in a session. The lock is a folder beside the log with a file in it for whoever holds it or
 * wants to: each makes its own, then looks for others that live, so that no two hold it at once. What a process that is
 * gone has left counts for nothing and is removed.
 */

import { closeSync, mkdirSync, openSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { Failure, messageOf } from "../error.ts";
import { codeOf } from "../workspace/place/system.ts";
import { isLeftProcess, processName } from "../process/system/owner.ts";

const attempts = 20;

/**
 * Takes the session of a log until the disposal. Throws Failure: E_SESSION_BUSY where another process has it,
 * E_LOG_UNWRITABLE where nothing can be made beside the log.
 */
export function lockSession(log: string): Disposable {
  const folder = folderOf(log);
  const own = join(folder, processName());
  enter(folder, own, log);
  const release = (): void => leave(folder, own);
  const other = holders(folder).find((name) => join(folder, name) !== own);
  if (other === undefined) return { [Symbol.dispose]: release };
  release();
  throw new Failure("E_SESSION_BUSY", `Another croft is at work in this session (process ${other.split("-")[0]}).`, {
    remedy: "Wait until it is done, end it, or go on in a copy: croft fork.",
  });
}

/** Whether a process that lives has the session of a log. */
export function isLocked(log: string): boolean {
  return holders(folderOf(log)).length > 0;
}

function folderOf(log: string): string {
  return `${log}.lock`;
}

/** Whoever leaves removes the folder, perhaps between the two calls. */
function enter(folder: string, own: string, log: string): void {
  for (let attempt = 1; ; attempt++) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      closeSync(openSync(own, "wx", 0o600));
      return;
    } catch (thrown) {
      if (codeOf(thrown) === "ENOENT" && attempt < attempts) continue;
      throw new Failure("E_LOG_UNWRITABLE", `The session ${log} cannot be held: ${messageOf(thrown)}.`, {
        remedy: "Choose a folder that exists and that you may write to.",
        cause: thrown,
      });
    }
  }
}

/** Names of the processes that live; what others have left is removed. */
function holders(folder: string): string[] {
  return namesIn(folder).filter((name) => {
    const left = isLeftProcess(name);
    if (left) leave(folder, join(folder, name));
    return !left;
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function leave(folder: string, file: string): void {
  try {
    unlinkSync(file);
    rmdirSync(folder); // not where somebody else waits in it
  } catch {
    // somebody else removed it first
  }
}
