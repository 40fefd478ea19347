/** The commands, and the one place where what went wrong becomes a sentence on stderr and an exit code. */

import { isatty } from "node:tty";
import { asFailure, Failure } from "@croft/harness";
import type { Environment } from "./config/environment.ts";
import { useNamedProxies } from "./config/proxy.ts";
import { exitCodes, exitError, exitPipe, exitUsage } from "./exit.ts";
import type { Io } from "./io.ts";
import { nearest } from "./nearest.ts";
import { catchInterrupts } from "./signals.ts";
import { escapeLine, escapeText } from "./ui/escape.ts";
import { fitted } from "./ui/fitted.ts";
import { openOutput } from "./ui/output.ts";
import { paintFor } from "./ui/paint.ts";
import { UsageError } from "./usage.ts";
import askWords from "./words/ask.md";
import chatWords from "./words/chat.md";
import completionWords from "./words/completion.md";
import configWords from "./words/config.md";
import demoWords from "./words/demo.md";
import doctorWords from "./words/doctor.md";
import exitCodeWords from "./words/exit-codes.md";
import exportWords from "./words/export.md";
import forkWords from "./words/fork.md";
import policyWords from "./words/policy.md";
import redoWords from "./words/redo.md";
import replayWords from "./words/replay.md";
import resumeWords from "./words/resume.md";
import runWords from "./words/run.md";
import sessionsWords from "./words/sessions.md";
import toolWords from "./words/tool.md";
import traceWords from "./words/trace.md";
import undoWords from "./words/undo.md";

type Run = (args: readonly string[], io: Io) => Promise<number>;
type Command = { help: string; load: () => Promise<Run> };

/** Each is loaded when it is named: the others need not be waited for. */
const commands: ReadonlyMap<string, Command> = new Map([
  ["chat", { help: `${chatWords}\n${exitCodeWords}`, load: async () => (await import("./command/chat.ts")).chat }],
  ["ask", { help: `${askWords}\n${exitCodeWords}`, load: async () => (await import("./command/ask.ts")).ask }],
  ["run", { help: `${runWords}\n${exitCodeWords}`, load: async () => (await import("./command/run.ts")).run }],
  ["sessions", { help: sessionsWords, load: async () => (await import("./command/sessions.ts")).sessions }],
  [
    "resume",
    { help: `${resumeWords}\n${exitCodeWords}`, load: async () => (await import("./command/resume.ts")).resume },
  ],
  ["export", { help: exportWords, load: async () => (await import("./command/export.ts")).exportSession }],
  ["fork", { help: forkWords, load: async () => (await import("./command/fork.ts")).fork }],
  ["undo", { help: undoWords, load: async () => (await import("./command/undo.ts")).undo }],
  ["redo", { help: redoWords, load: async () => (await import("./command/redo.ts")).redo }],
  ["replay", { help: replayWords, load: async () => (await import("./command/replay.ts")).replay }],
  ["trace", { help: traceWords, load: async () => (await import("./command/trace.ts")).trace }],
  ["tool", { help: toolWords, load: async () => (await import("./command/tool.ts")).tool }],
  ["policy", { help: policyWords, load: async () => (await import("./command/policy.ts")).policy }],
  ["config", { help: configWords, load: async () => (await import("./command/config.ts")).config }],
  [
    "completion",
    { help: completionWords, load: async () => (await import("./command/completion.ts")).completion(helps) },
  ],
  ["demo", { help: demoWords, load: async () => (await import("./command/demo.ts")).demo }],
  ["doctor", { help: doctorWords, load: async () => (await import("./command/doctor.ts")).doctor }],
]);

const helpOptions: ReadonlySet<string> = new Set(["--help", "-h"]);

function helps(): ReadonlyMap<string, string> {
  return new Map([...commands].map(([name, { help }]) => [name, help]));
}

/**
 * Runs one command line to its end, output flushed. `help` is shown where no command is named. The exit code; never
 * throws.
 */
export async function runCli(args: readonly string[], help: string, environment: Environment): Promise<number> {
  const interrupts = catchInterrupts();
  const unread = new AbortController();
  const io: Io = {
    environment,
    stdin: () => process.stdin,
    interactive: isatty(0) && isatty(2),
    out: openOutput(process.stdout, () => unread.abort()),
    err: openOutput(process.stderr, () => undefined),
    paint: paintFor(process.stderr.isTTY && !environment.noColor),
    live: process.stderr.isTTY && environment.variable("TERM") !== "dumb",
    signal: AbortSignal.any([interrupts.signal, unread.signal]),
  };
  process.on("uncaughtException", (error) => {
    process.exit(report(error, io));
  });

  const ended = await run(args, help, io).catch((error: unknown) => report(error, io));
  await io.out.flushed();
  const broken = io.out.broken();
  if (broken !== undefined && broken !== "EPIPE") io.err.write(`croft: Writing to stdout failed (${broken}).\n`);
  await io.err.flushed();
  if (broken !== undefined) return broken === "EPIPE" ? exitPipe : exitError;
  return ended === exitCodes.cancelled ? (interrupts.code() ?? ended) : ended;
}

async function run(args: readonly string[], help: string, io: Io): Promise<number> {
  const [name = "chat", ...rest] = args[0]?.startsWith("-") === true ? ["chat", ...args] : args;
  if (name === "help") {
    const about = rest.find((word) => !helpOptions.has(word)) ?? "help";
    io.out.write(fitted(about === "help" ? help : commandNamed(about).help, process.stdout.columns));
    return 0;
  }
  const command = commandNamed(name);
  const options = new Set(rest.slice(0, rest.includes("--") ? rest.indexOf("--") : undefined));
  if (!options.isDisjointFrom(helpOptions)) {
    io.out.write(fitted(command.help, process.stdout.columns));
    return 0;
  }
  const unused = await useNamedProxies(io.environment);
  if (unused !== undefined)
    io.err.write(`croft: ${unused}
`);
  return (await command.load())(rest, io);
}

function commandNamed(name: string): Command {
  const command = commands.get(name);
  if (command !== undefined) return command;
  const names = [...commands.keys(), "help"];
  const near = nearest(name, names);
  const remedy =
    near === undefined ? `The commands: ${names.join(", ")}.` : `Did you mean croft ${near}? All of them: croft help.`;
  throw new UsageError("E_NO_COMMAND", `There is no command ${JSON.stringify(name)}.`, remedy);
}

/** Says what went wrong; the exit code. A Failure explains itself; anything else is a bug in croft. */
function report(error: unknown, io: Io): number {
  const stack = error instanceof Error && io.environment.debug ? `${escapeText(error.stack ?? "")}\n` : "";
  if (error instanceof Failure) {
    io.err.write(`croft: ${escapeLine(`${error.narration} (${error.code})`)}\n${stack}`);
    return error instanceof UsageError ? exitUsage : exitError;
  }
  const { narration } = asFailure(error);
  io.err.write(
    `croft: This is a bug in croft: ${escapeLine(narration)} Run it again with CROFT_DEBUG=1 and report what it prints.\n`,
  );
  io.err.write(stack);
  return exitError;
}
