/** `croft` and `croft chat`: a conversation about a project, at a terminal; without one, an answer to what is piped in. */

import { openAsk, policyGate } from "@croft/harness";
import { parseArguments } from "../arguments.ts";
import { chooseRoot, currentFolder } from "../config/root.ts";
import type { Io } from "../io.ts";
import { grantsOf, toolsOf, type Grants } from "../session/coding.ts";
import { chatOptions, converse } from "./converse.ts";
import { lastSession, sessionNamed, sessionsFolder } from "../session/find-session.ts";
import { holdSession } from "../session/hold-session.ts";
import type { Resumed } from "../session/open-session.ts";
import { questionFile } from "./question.ts";
import { running } from "./run.ts";
import { oneTurn, type TurnCommand } from "./turn.ts";

const options = {
  ...chatOptions,
  continue: { type: "boolean", short: "c" },
  resume: { type: "string", short: "r" },
} as const;

/** Talks until the person leaves. The exit code. Throws UsageError before anything is asked or written. */
export async function chat(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArguments("chat", args, options);
  const home = { cwd: currentFolder(), home: io.environment.home };
  const resumed = await resumedFrom(values, home, io);
  try {
    if (!io.interactive || values.json === true) {
      return await oneTurn(piped(grantsOf(values), io), positionals, values, io, resumed);
    }
    const root = resumed?.root ?? chooseRoot({ asked: values.dir, ...home });
    const filed = values.file === undefined ? [] : [questionFile(values.file, home.cwd)];
    const message = [...filed, positionals.join(" ").trim()].join("\n\n").trim();
    return await converse(values, { root, resumed, message }, io);
  } finally {
    resumed?.lock[Symbol.dispose]();
  }
}

/** One turn, as `croft run` has it; without a model it answers what it can. */
function piped(grants: Grants, io: Io): TurnCommand {
  const task = running(grants, io, { onlyChanges: true });
  return {
    ...task,
    nothing: {
      message: "There is no terminal to talk at, and nothing to answer came through stdin.",
      usage: 'Start croft at a terminal, or: echo "Where is main defined?" | croft, croft ask "…", croft run "…".',
    },
    demand: undefined,
    open(given, settings) {
      const isAsking = given.model.id === "offline" || toolsOf(given.past, settings) === "ask";
      if (!isAsking) return task.open(given, settings);
      const { ask: take, close } = openAsk({ ...given, gate: policyGate() });
      return { take, close };
    },
  };
}

type Home = { cwd: string; home: string | undefined };
type Values = { continue?: boolean | undefined; resume?: string | undefined; dir?: string | undefined };

async function resumedFrom(values: Values, home: Home, io: Io): Promise<Resumed | undefined> {
  if (values.continue !== true && values.resume === undefined) return undefined;
  const here = values.dir === undefined ? undefined : chooseRoot({ asked: values.dir, ...home });
  const folder = await sessionsFolder(io, values.dir);
  const file =
    values.resume === undefined
      ? await lastSession(folder, here ?? chooseRoot({ asked: undefined, ...home }))
      : sessionNamed(values.resume, folder);
  return holdSession(file, here, home);
}
