/** `croft fork`: a new session that begins as a copy of another one. */

import { basename, join } from "node:path";
import { forkSession } from "@croft/harness";
import { count, parseArguments } from "../arguments.ts";
import { newRunId } from "../config/trace.ts";
import type { Io } from "../io.ts";
import { escapeLine } from "../ui/escape.ts";
import { jsonLine } from "../ui/json.ts";
import { UsageError } from "../usage.ts";
import { sessionNamed, sessionsFolder } from "../session/find-session.ts";

const options = { at: { type: "string" }, json: { type: "boolean" } } as const;

/** Makes the copy and prints its id. The exit code. Throws UsageError, and Failure E_NO_TURN. */
export async function fork(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArguments("fork", args, options);
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) {
    const message = name === undefined ? "No session is named." : "One session can be forked at a time.";
    throw new UsageError("E_ARGUMENTS", message, "Usage: croft fork <id> [--at <turn>]; croft sessions lists them.");
  }
  const at = count("at", values.at);
  const folder = await sessionsFolder(io, undefined);
  const from = sessionNamed(name, folder);
  const id = newRunId(new Date());
  const file = join(folder, `${id}.jsonl`);
  const turns = await forkSession(from, file, at);
  const told = { type: "fork", id, file, from: basename(from, ".jsonl"), turns };
  io.out.write(values.json === true ? jsonLine(told) : `${id}\n`);
  if (values.json !== true) {
    const whole = `${turns} ${turns === 1 ? "turn" : "turns"} of ${told.from}`;
    io.err.write(`${escapeLine(`Begins with ${whole}. Files are as they are now. Go on: croft resume ${id} "…"`)}\n`);
  }
  return 0;
}
