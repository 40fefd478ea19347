/** `croft resume`: a session goes on, with its next message. */

import { presetOf } from "@croft/harness";
import { parseArguments } from "../arguments.ts";
import { chooseRoot, currentFolder } from "../config/root.ts";
import type { Io } from "../io.ts";
import { asking } from "./ask.ts";
import { grantsOf } from "../session/coding.ts";
import { chatOptions, converse } from "./converse.ts";
import { isSessionName, lastSession, sessionNamed, sessionsFolder } from "../session/find-session.ts";
import { holdSession } from "../session/hold-session.ts";
import { running } from "./run.ts";
import { oneTurn } from "./turn.ts";

const { trace: _trace, ...options } = chatOptions;

/**
 * Takes the next turn to its end and shows it; at a terminal where nothing is said, a chat goes on. The exit code. Throws
 * UsageError before anything is asked or written.
 */
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
  const words = named ? rest : positionals;
  try {
    const saysNothing = words.length === 0 && values.file === undefined && values.json !== true;
    if (io.interactive && saysNothing) return await converse(values, { root: resumed.root, resumed, message: "" }, io);
    const kind = presetOf(resumed.past) === "ask" ? asking : running(grantsOf(values), io);
    return await oneTurn({ ...kind, folderFirst: false, nothing }, words, values, io, resumed);
  } finally {
    resumed.lock[Symbol.dispose]();
  }
}

const nothing = {
  message: "The session had come to its end, and there is nothing to go on with.",
  usage: 'Say what comes next: croft resume "Now the tests"',
};
