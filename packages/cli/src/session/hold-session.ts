/** A session that is to go on, taken from its file. */

import { basename } from "node:path";
import { asFailure, lockSession, readPast, type Past } from "@croft/harness";
import { chooseRoot } from "../config/root.ts";
import { asUsageError, UsageError } from "../usage.ts";
import type { Resumed } from "./open-session.ts";

/** Said where nobody says anything: fit for a session that was broken off. */
const goOn = "Go on where you were interrupted.";

type Home = { cwd: string; home: string | undefined };

/**
 * Held before it is read: nobody adds to it from then on. `here`: the project, where it was named. Throws UsageError,
 * and Failure E_SESSION_BUSY.
 */
export async function holdSession(file: string, here: string | undefined, home: Home): Promise<Resumed> {
  const lock = lockSession(file);
  try {
    const past = await pastIn(file);
    const root = here ?? rootOf(past, home);
    const task = past.status === "done" ? undefined : goOn;
    return { id: basename(file, ".jsonl"), file, lock, past, root, task };
  } catch (thrown) {
    lock[Symbol.dispose]();
    throw thrown;
  }
}

async function pastIn(file: string): Promise<Past> {
  try {
    return await readPast(file);
  } catch (cause) {
    throw asUsageError(cause);
  }
}

/** The project of a session; it may have gone elsewhere since. */
function rootOf({ root }: Past, home: Home): string {
  try {
    return chooseRoot({ asked: root, ...home });
  } catch (cause) {
    throw new UsageError("E_NO_FOLDER", asFailure(cause).message, "Name the project: croft resume -C DIR.", cause);
  }
}
