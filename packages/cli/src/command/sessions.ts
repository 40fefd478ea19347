/** `croft sessions`: what was done in this project, and can be gone on with. `rm` and `prune` remove some. */

import type { SessionSummary } from "@croft/harness";
import { count, parseArguments } from "../arguments.ts";
import { chooseRoot, currentFolder } from "../config/root.ts";
import type { Io } from "../io.ts";
import { escapeLine } from "../ui/escape.ts";
import { jsonLine } from "../ui/json.ts";
import { minute } from "../ui/numbers.ts";
import { UsageError } from "../usage.ts";
import { listedSessions } from "../session/listed-sessions.ts";
import { sessionsFolder } from "../session/find-session.ts";

const options = {
  dir: { type: "string", short: "C" },
  limit: { type: "string", short: "n" },
  all: { type: "boolean" },
  json: { type: "boolean" },
} as const;

const usualLimit = 20;
/** Characters of a task. */
const taskWidth = 80;

/** Lists them, or does what the first word says. The exit code. Throws UsageError. */
export async function sessions(args: readonly string[], io: Io): Promise<number> {
  const [action, ...rest] = args;
  if (action === "rm") return (await import("./remove-sessions.ts")).removeSessions(rest, io);
  if (action === "prune") return (await import("./prune.ts")).prune(rest, io);
  return list(args, io);
}

/** The last used first. */
async function list(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArguments("sessions", args, options);
  if (positionals.length > 0)
    throw new UsageError("E_ARGUMENTS", "Only rm and prune stand behind it.", "See croft sessions --help.");
  const root =
    values.all === true
      ? undefined
      : chooseRoot({ asked: values.dir, cwd: currentFolder(), home: io.environment.home });
  const limit = count("limit", values.limit) ?? usualLimit;
  let listed = 0;
  for await (const session of listedSessions(await sessionsFolder(io, values.dir), { root, limit })) {
    if (io.signal.aborted) break;
    listed += 1;
    io.out.write(
      values.json === true ? jsonLine({ type: "session", ...session }) : `${lineFor(session, root === undefined)}\n`,
    );
  }
  if (listed === 0 && values.json !== true) io.err.write("There is no session here yet.\n");
  return 0;
}

function lineFor({ id, at, status, turns, dollars, task, root, from }: SessionSummary, showRoot: boolean): string {
  const cost = dollars === undefined ? "      -" : `$${dollars.toFixed(4)}`;
  const about = [task.slice(0, taskWidth), ...(from === undefined ? [] : [`(fork of ${from})`])].join(" ");
  const columns = [id, minute(at), status.padEnd(13), `${turns} ${turns === 1 ? "turn " : "turns"}`, cost, about];
  return escapeLine((showRoot ? [...columns, root] : columns).join("  "));
}
