/** `croft sessions rm`: sessions that are wanted no more. */

import { basename } from "node:path";
import { removeSession } from "@croft/harness";
import { parseArguments } from "../arguments.ts";
import type { Io } from "../io.ts";
import { escapeLine } from "../ui/escape.ts";
import { UsageError } from "../usage.ts";
import { sessionNamed, sessionsFolder } from "../session/find-session.ts";

/** All are found before one is removed. The exit code. Throws UsageError, and Failure E_SESSION_BUSY. */
export async function removeSessions(args: readonly string[], io: Io): Promise<number> {
  const { positionals } = parseArguments("sessions", args, {});
  if (positionals.length === 0) {
    throw new UsageError("E_ARGUMENTS", "No session is named.", "Usage: croft sessions rm <id>…");
  }
  const folder = await sessionsFolder(io, undefined);
  for (const file of positionals.map((name) => sessionNamed(name, folder))) {
    removeSession(file);
    io.out.write(`${escapeLine(basename(file, ".jsonl"))}\n`);
  }
  return 0;
}
