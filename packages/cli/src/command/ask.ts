/** `croft ask`: one read-only question about a project, answered with evidence. */

import { askBudget, openAsk, openLog, policyGate, type MemoryFile } from "@croft/harness";
import { count, dollars, parseArguments, secondsInMs } from "../arguments.ts";
import { readUserMemory } from "../config/memory.ts";
import { chooseModel } from "../config/model.ts";
import { chooseRoot, currentFolder } from "../config/root.ts";
import { newRunId, traceAt, traceBelow } from "../config/trace.ts";
import { exitCodes } from "../exit.ts";
import type { Io } from "../io.ts";
import { escapeLine } from "../ui/escape.ts";
import { jsonLines } from "../ui/json.ts";
import { plain } from "../ui/plain.ts";
import { readPiped, someQuestion, splitWords, type Asked } from "./question.ts";

const options = {
  dir: { type: "string", short: "C" },
  model: { type: "string" },
  json: { type: "boolean" },
  "max-turns": { type: "string" },
  "max-tokens": { type: "string" },
  "max-dollars": { type: "string" },
  timeout: { type: "string" },
  trace: { type: "string" },
} as const;

/** How long `croft ask` without a question waits for one on stdin. `croft ask -` waits without end. */
const pipeWaitMs = 2_000;

/** Runs the question to its end and shows it. The exit code. Throws UsageError before anything is asked or written. */
export async function ask(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArguments("ask", args, options);
  const budget = {
    steps: count("max-turns", values["max-turns"]) ?? askBudget.steps,
    tokens: count("max-tokens", values["max-tokens"]) ?? askBudget.tokens,
    dollars: dollars("max-dollars", values["max-dollars"]),
    ms: secondsInMs("timeout", values.timeout) ?? askBudget.ms,
  };
  const cwd = currentFolder();
  const asked = await readQuestion(positionals, values.dir, cwd, io);
  if (io.signal.aborted) return exitCodes.cancelled;
  const { folder, question } = someQuestion(asked);
  const root = chooseRoot({ asked: folder, cwd, home: io.environment.home });
  const { model, notice } = chooseModel(values.model, io.environment, budget.dollars !== undefined);
  const id = newRunId(new Date());
  const file = openTrace(values.trace, id, cwd, io);
  if (notice !== undefined) io.err.write(`${notice}\n`);

  const session = openLog({
    id,
    file,
    onError: (failure) => io.err.write(`croft: ${escapeLine(failure.narration)}\n`),
  });
  const run = openAsk({
    root,
    gate: policyGate(), // nobody is asked: what the policy leaves open is refused
    searchPath: io.environment.path,
    model,
    session,
    budget,
    memory: { user: ownMemory(io) },
    emit: values.json === true ? jsonLines(io.out) : plain(io.out, io.err, io.paint),
  });
  try {
    const { status } = await run.ask(question, io.signal);
    return exitCodes[status];
  } finally {
    run.close();
    session.close();
  }
}

function ownMemory({ environment, err }: Io): MemoryFile | undefined {
  const memory = readUserMemory(environment);
  if (memory === undefined || "text" in memory) return memory;
  err.write(`Your own memory file is not loaded: ${escapeLine(memory.reason)}.\n`);
  return undefined;
}

async function readQuestion(words: readonly string[], folder: string | undefined, cwd: string, io: Io): Promise<Asked> {
  const [word, ...more] = words;
  if (word !== undefined && (word !== "-" || more.length > 0)) return splitWords(words, folder, cwd);
  const waitMs = word === "-" ? undefined : pipeWaitMs;
  return { folder, question: await readPiped(io.stdin(), waitMs, io.signal) };
}

function openTrace(asked: string | undefined, id: string, cwd: string, io: Io): string | undefined {
  if (asked !== undefined) return traceAt(asked, cwd);
  const trace = traceBelow(io.environment.stateHome, id);
  if ("file" in trace) return trace.file;
  io.err.write(`No trace is kept: ${escapeLine(trace.reason)}.\n`);
  return undefined;
}
