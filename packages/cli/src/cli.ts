/** The commands, and the one place where what went wrong becomes a sentence on stderr and an exit code. */

import { Command, CommanderError } from "commander";
import { Failure } from "@croft/harness";
import { ask, type AskOptions } from "./command/ask.ts";
import { count, dollars, seconds } from "./command/limits.ts";
import { tool, type ToolOptions } from "./command/tool.ts";
import type { Environment } from "./config/environment.ts";
import { exitCodes, exitError, exitPipe, exitUsage } from "./exit.ts";
import type { Io } from "./io.ts";
import { catchInterrupts } from "./signals.ts";
import { escapeLine, escapeText } from "./ui/escape.ts";
import { openOutput } from "./ui/output.ts";
import { paintFor } from "./ui/paint.ts";
import { UsageError } from "./usage.ts";
import exitCodeWords from "./words/exit-codes.md";

/** Runs one command line to its end, output flushed. The exit code; never throws. */
export async function runCli(args: readonly string[], help: string, environment: Environment): Promise<number> {
  const interrupts = catchInterrupts();
  const unread = new AbortController();
  const io: Io = {
    environment,
    stdin: process.stdin,
    out: openOutput(process.stdout, () => unread.abort()),
    err: openOutput(process.stderr, () => undefined),
    paint: paintFor(process.stderr.isTTY && !environment.noColor),
    signal: AbortSignal.any([interrupts.signal, unread.signal]),
  };
  process.on("uncaughtException", (error) => {
    report(error, io);
    process.exit(exitError);
  });

  const ended = await run(args, help, io);
  await io.out.flushed();
  const broken = io.out.broken();
  if (broken !== undefined && broken !== "EPIPE") io.err.write(`croft: Writing to stdout failed (${broken}).\n`);
  await io.err.flushed();
  if (broken !== undefined) return broken === "EPIPE" ? exitPipe : exitError;
  return ended === exitCodes.cancelled ? (interrupts.code() ?? ended) : ended;
}

async function run(args: readonly string[], help: string, io: Io): Promise<number> {
  let code = exitUsage;
  const program = commands(help, io, (ended) => {
    code = ended;
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitUsage; // commander has said it already
    return report(error, io);
  }
}

function commands(help: string, io: Io, end: (code: number) => void): Command {
  const program = new Command("croft")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.out.write(text),
      writeErr: (text) => io.err.write(escapeText(text)),
      outputError: (text, write) => write(text.replace(/^error: /, "croft: ")),
    })
    .showHelpAfterError("(croft --help tells what there is)");
  program.helpInformation = () => help;

  program
    .command("ask")
    .description("answer one question about a project, read-only, every claim cited as path:line")
    .usage('[dir] "<question>" [options]   (- reads the question from stdin)')
    .argument("[words...]", "the project's folder, if it is not the current one, and the question")
    .option("-C, --dir <dir>", "the project's folder; every other word is the question")
    .option("--model <name>", "anthropic/<model> or offline")
    .option("--json", "print every event as one line of JSON, the last one being the stop")
    .option("--max-turns <n>", "steps at most (12)", count)
    .option("--max-tokens <n>", "tokens at most, cached ones included (300000)", count)
    .option("--max-dollars <d>", "a hard ceiling: no request is sent that could pass it", dollars)
    .option("--timeout <s>", "seconds at most (120)", seconds)
    .option("--trace <file>", "write the trace to this file (replaced if it exists)")
    .addHelpText(
      "after",
      `\nWords after -- belong to the question even where they begin with a dash.\n\n${exitCodeWords}`,
    )
    .action(async (words: string[], options: AskOptions) => end(await ask(words, options, io)));

  program
    .command("tool")
    .description("list the tools, or call one as the model would")
    .argument("[name]", "the tool; - reads one call a line from stdin")
    .argument("[input]", "its input as JSON")
    .option("-C, --dir <dir>", "the project's folder")
    .option("--json", "print JSON: the tools with their schemas, or the whole result")
    .action(async (name: string | undefined, input: string | undefined, options: ToolOptions) =>
      end(await tool(name, input, options, io)),
    );
  return program;
}

/** Says what went wrong; the exit code. A Failure explains itself; anything else is a bug in croft. */
function report(error: unknown, io: Io): number {
  const stack = error instanceof Error && io.environment.debug ? `${escapeText(error.stack ?? "")}\n` : "";
  if (error instanceof Failure) {
    io.err.write(`croft: ${escapeLine(error.narration)} (${error.code})\n${stack}`);
    return error instanceof UsageError ? exitUsage : exitError;
  }
  const message = escapeLine(error instanceof Error ? error.message : String(error));
  io.err.write(
    `croft: This is a bug in croft: ${message}. Run it again with CROFT_DEBUG=1 and report what it prints.\n`,
  );
  io.err.write(stack);
  return exitError;
}
