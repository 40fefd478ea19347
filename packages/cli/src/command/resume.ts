/** `croft resume`: a session goes on, with its next message. */

import { presetOf } from "@croft/harness";
import { parseArguments } from "../arguments.ts";
import { chooseRoot, currentFolder } from "../config/root.ts";
import type { Io } from "../io.ts";
import { asking } from "./ask.ts";
import { codingOptions, leaveOf } from "./coding.ts";
import { isSessionName, lastSession, sessionNamed, sessionsFolder } from "./find-session.ts";
import { holdSession } from "./hold-session.ts";
import { running } from "./run.ts";
import { oneTurn, turnOptions } from "./turn.ts";

const { trace: _trace, ...shared } = turnOptions;
const options = { ...shared, ...codingOptions } as const;

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
  const resumed = await holdSession(file, here, home);
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
