/** `croft` and `croft chat`: a conversation about a project, at a terminal; without one, an answer to what is piped in. */

import { codeBudget, openAsk, policyGate } from "@croft/harness";
import { parseArguments } from "../arguments.ts";
import { runChat } from "../chat/chat.ts";
import { openHistory } from "../chat/history.ts";
import type { Mode, Screen } from "../chat/screen.ts";
import { chooseRoot, currentFolder } from "../config/root.ts";
import type { Io } from "../io.ts";
import { openLines } from "../ui/lines/lines.ts";
import { UsageError } from "../usage.ts";
import { codingOptions, leaveOf, type Leave } from "./coding.ts";
import { lastSession, sessionNamed, sessionsFolder } from "./find-session.ts";
import { holdSession } from "./hold-session.ts";
import type { Resumed } from "./open-session.ts";
import { running } from "./run.ts";
import { layerOf, oneTurn, turnOptions, type TurnCommand } from "./turn.ts";

const options = {
  ...turnOptions,
  ...codingOptions,
  plan: { type: "boolean" },
  plain: { type: "boolean" },
  continue: { type: "boolean", short: "c" },
  resume: { type: "string", short: "r" },
} as const;

/** Talks until the person leaves. The exit code. Throws UsageError before anything is asked or written. */
export async function chat(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArguments("chat", args, options);
  const leave = leaveOf(values);
  if (!io.interactive || values.json === true) return oneTurn(piped(leave, io), positionals, values, io);
  if (values.plan === true && leave.yes) {
    throw new UsageError("E_ARGUMENTS", "--plan and --yes do not go together.", "Choose one; /mode changes it later.");
  }
  const home = { cwd: currentFolder(), home: io.environment.home };
  const here = chooseRoot({ asked: values.dir, ...home });
  const resumed = await resumedFrom(values, here, io);
  const root = resumed?.root ?? here;
  const mode: Mode = values.plan === true ? "plan" : leave.yes ? "yes" : "ask";
  return runChat(
    {
      screen: await screenFor(io, values.plain === true),
      project: { root, own: values["no-project-config"] !== true, flags: layerOf(values), usual: codeBudget },
      leave,
      mode,
      history: openHistory(io.environment.stateHome, root),
      resumed,
      message: positionals.join(" ").trim(),
    },
    io,
  );
}

/** One turn, as `croft run` has it; without a model it answers what it can. */
function piped(leave: Leave, io: Io): TurnCommand {
  const task = running(leave, io);
  return {
    ...task,
    nothing: {
      message: "There is no terminal to talk at, and nothing to answer came through stdin.",
      usage: 'Start croft at a terminal, or: echo "Where is main defined?" | croft, croft ask "…", croft run "…".',
    },
    demand: undefined,
    open(given, settings) {
      if (given.model.id !== "offline") return task.open(given, settings);
      const { ask: take, close } = openAsk({ ...given, gate: policyGate() });
      return { take, close };
    },
  };
}

type Values = { continue?: boolean | undefined; resume?: string | undefined; dir?: string | undefined };

async function resumedFrom(values: Values, here: string, io: Io): Promise<Resumed | undefined> {
  if (values.continue !== true && values.resume === undefined) return undefined;
  const folder = await sessionsFolder(io, values.dir);
  const file = values.resume === undefined ? await lastSession(folder, here) : sessionNamed(values.resume, folder);
  const home = { cwd: currentFolder(), home: io.environment.home };
  return holdSession(file, values.dir === undefined ? undefined : here, home);
}

/** Plain lines where a cursor cannot be moved, or somebody wants them. */
async function screenFor(io: Io, plain: boolean): Promise<Screen> {
  const { environment, out, err, paint } = io;
  const term = environment.variable("TERM");
  const canMove = term !== undefined && term !== "dumb";
  if (canMove && !plain && process.stdout.isTTY) {
    // Loaded where it is needed: it takes as long as Node itself.
    const { openTerminal } = await import("../ui/terminal/screen.ts");
    return openTerminal({ input: io.stdin(), output: process.stdout, colour: !environment.noColor, term });
  }
  return openLines({
    input: io.stdin(),
    out,
    err,
    paint,
    columns: () => process.stderr.columns,
    canMove,
    streams: process.stdout.isTTY,
  });
}
