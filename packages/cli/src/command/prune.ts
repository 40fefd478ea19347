/** `croft sessions prune`: old sessions go, and what croft keeps for projects in which nothing is left to go on with. */

import { rmSync } from "node:fs";
import { Failure, removeSession } from "@croft/harness";
import { listedSessions } from "../session/listed-sessions.ts";
import { count, parseArguments } from "../arguments.ts";
import { projectKey, projectStores } from "../config/stores.ts";
import { exitCodes } from "../exit.ts";
import type { Io } from "../io.ts";
import { escapeLine } from "../ui/escape.ts";
import { jsonLine } from "../ui/json.ts";
import { megabytes } from "../ui/numbers.ts";
import { plural } from "../ui/plural.ts";
import { UsageError } from "../usage.ts";
import { sessionsFolder } from "../session/find-session.ts";

const options = {
  days: { type: "string" },
  "dry-run": { type: "boolean" },
  json: { type: "boolean" },
} as const;

const usualDays = 90;
const day = 86_400_000;

/** Of all projects. The exit code. Throws UsageError. */
export async function prune(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArguments("sessions", args, options);
  if (positionals.length > 0) {
    throw new UsageError("E_ARGUMENTS", "Nothing stands behind it.", "To remove one session: croft sessions rm <id>.");
  }
  const dry = values["dry-run"] === true;
  const days = count("days", values.days) ?? usualDays;
  const before = Date.now() - days * day;
  let bytes = 0;
  let sessions = 0;
  const kept = new Set<string>();
  for await (const { id, file, at, task, root, status, bytes: size } of listedSessions(
    await sessionsFolder(io, undefined),
  )) {
    if (io.signal.aborted) return exitCodes.cancelled;
    if (at >= before || status === "running" || !(dry || isRemoved(file))) {
      kept.add(projectKey(root));
      continue;
    }
    sessions += 1;
    bytes += size;
    if (values.json !== true) io.out.write(`${escapeLine(`${id}  ${task}  ${root}`)}\n`);
  }
  const stores = projectStores(io.environment).filter(({ key, at }) => at < before && !kept.has(key));
  for (const { folder, bytes: size } of stores) {
    if (!dry) rmSync(folder, { recursive: true, force: true });
    bytes += size;
    if (values.json !== true) io.out.write(`${escapeLine(folder)}\n`);
  }
  if (values.json === true)
    io.out.write(jsonLine({ type: "prune", days, dry, sessions, stores: stores.length, bytes }));
  else {
    const what = `${plural(sessions, "session")}, ${plural(stores.length, "folder")} of projects, ${megabytes(bytes)}`;
    io.err.write(`${dry ? "Would remove" : "Removed"}: ${what}. Older than ${plural(days, "day")}.\n`);
  }
  return 0;
}

/** False where a croft has just gone on with it. */
function isRemoved(file: string): boolean {
  try {
    removeSession(file);
    return true;
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === "E_SESSION_BUSY") return false;
    throw thrown;
  }
}
