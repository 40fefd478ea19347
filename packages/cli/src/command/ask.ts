/** `croft ask`: one read-only question about a project, answered with evidence. */

import { askBudget, openAsk, openLog } from "@croft/harness";
import { chooseModel } from "../config/model.ts";
import { chooseRoot, currentFolder } from "../config/root.ts";
import { newRunId, traceAt, traceBelow } from "../config/trace.ts";
import { exitCodes } from "../exit.ts";
import type { Io } from "../io.ts";
import { escapeLine } from "../ui/escape.ts";
import { jsonLines } from "../ui/json.ts";
import { plain } from "../ui/plain.ts";
import { readPiped, someQuestion, splitWords, type Asked } from "./question.ts";

export type AskOptions = {
  dir?: string | undefined;
  model?: string | undefined;
  json?: boolean | undefined;
  /** Steps. */
  maxTurns?: number | undefined;
  maxTokens?: number | undefined;
  maxDollars?: number | undefined;
  /** Seconds. */
  timeout?: number | undefined;
  trace?: string | undefined;
};

/** How long `croft ask` without a question waits for one on stdin. `croft ask -` waits without end. */
const pipeWaitMs = 2_000;

/** Runs the question to its end and shows it. The exit code. Throws UsageError before anything is asked or written. */
export async function ask(words: readonly string[], options: AskOptions, io: Io): Promise<number> {
  const cwd = currentFolder();
  const asked = await readQuestion(words, options, cwd, io);
  if (io.signal.aborted) return exitCodes.cancelled;
  const { folder, question } = someQuestion(asked);
  const root = chooseRoot({ asked: folder, cwd, home: io.environment.home });
  const { model, notice } = chooseModel(options.model, io.environment, options.maxDollars);
  const id = newRunId(new Date());
  const file = openTrace(options.trace, id, cwd, io);
  if (notice !== undefined) io.err.write(`${notice}\n`);

  const session = openLog({
    id,
    file,
    onError: (failure) => io.err.write(`croft: ${escapeLine(failure.narration)}\n`),
  });
  const run = openAsk({
    root,
    model,
    session,
    budget: {
      steps: options.maxTurns ?? askBudget.steps,
      tokens: options.maxTokens ?? askBudget.tokens,
      dollars: options.maxDollars ?? askBudget.dollars,
      ms: options.timeout === undefined ? askBudget.ms : options.timeout * 1000,
    },
    emit: options.json === true ? jsonLines(io.out) : plain(io.out, io.err, io.paint),
  });
  try {
    const { status } = await run.ask(question, io.signal);
    return exitCodes[status];
  } finally {
    run.close();
    session.close();
  }
}

async function readQuestion(words: readonly string[], options: AskOptions, cwd: string, io: Io): Promise<Asked> {
  const [word, ...more] = words;
  if (word !== undefined && (word !== "-" || more.length > 0)) return splitWords(words, options.dir, cwd);
  const waitMs = word === "-" ? undefined : pipeWaitMs;
  return { folder: options.dir, question: await readPiped(io.stdin, waitMs, io.signal) };
}

function openTrace(asked: string | undefined, id: string, cwd: string, io: Io): string | undefined {
  if (asked !== undefined) return traceAt(asked, cwd);
  const trace = traceBelow(io.environment.stateHome, id);
  if ("file" in trace) return trace.file;
  io.err.write(`No trace is kept: ${escapeLine(trace.reason)}.\n`);
  return undefined;
}
