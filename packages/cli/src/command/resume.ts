/** `croft resume`: a session goes on, with its next message. */

import { basename } from "node:path";
import { asFailure, lockSession, presetOf, readPast, type Past } from "@croft/harness";
import { parseArguments } from "../arguments.ts";
import { chooseRoot, currentFolder } from "../config/root.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../usage.ts";
import { asking } from "./ask.ts";
import { codingOptions, leaveOf } from "./coding.ts";
import { isSessionName, lastSession, sessionNamed, sessionsFolder } from "./find-session.ts";
import type { Resumed } from "./open-session.ts";
import { running } from "./run.ts";
import { oneTurn, turnOptions } from "./turn.ts";

const { trace: _trace, ...shared } = turnOptions;
const options = { ...shared, ...codingOptions } as const;

/** Said where nobody says anything: fit for a session that was broken off. */
const goOn = "Go on where you were interrupted.";

/** Takes the next turn to its end and shows it. The exit code. Throws UsageError before anything is asked or written. */
export async function resume(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArguments("resume", args, options);
  const [first = "", ...rest] = positionals;
  const home = { cwd: currentFolder(), home: io.environment.home };
  const here = values.dir === undefined ? undefined : chooseRoot({ asked: values.dir, ...home });
  const folder = await sessionsFolder(io, values.dir);
  const named = isSessionName(first, folder);
  const file = named
    ? sessionNamed(first, folder)
    : await lastSession(folder, here ?? chooseRoot({ asked: undefined, ...home }));
  const resumed = await opened(file, here, home);
  try {
    const kind = presetOf(resumed.past) === "code" ? running(leaveOf(values), io) : asking;
    const words = named ? rest : positionals;
    return await oneTurn({ ...kind, folderFirst: false, nothing }, words, values, io, resumed);
  } finally {
    resumed.lock[Symbol.dispose]();
  }
}

const nothing = {
  message: "The session had come to its end, and there is nothing to go on with.",
  usage: 'Say what comes next: croft resume "Now the tests"',
};

type Home = { cwd: string; home: string | undefined };

/** The session is held before it is read: nobody adds to it from then on. */
async function opened(file: string, here: string | undefined, home: Home): Promise<Resumed> {
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
    const { code, message, remedy = "" } = asFailure(cause);
    if (code === "E_INTERNAL") throw cause;
    throw new UsageError(code, message, remedy, cause);
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
