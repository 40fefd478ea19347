/** `croft ask`: one read-only question about a project, answered with evidence. */

import { mentionsIn, openAsk, openLog, policyGate, type MemoryFile } from "@croft/harness";
import { count, dollars, parseArguments, secondsInMs, type Arguments } from "../arguments.ts";
import { hiddenNotice, loadSettings, noticeOf } from "../config/load.ts";
import { readUserMemory } from "../config/memory.ts";
import { chooseModel } from "../config/model.ts";
import { chooseRoot, currentFolder } from "../config/root.ts";
import { rulesOf, type Layer, type Settings } from "../config/settings.ts";
import { newRunId, traceAt, traceIn, tracesFolder } from "../config/trace.ts";
import { exitCodes } from "../exit.ts";
import type { Io } from "../io.ts";
import { escapeLine } from "../ui/escape.ts";
import { jsonLines } from "../ui/json.ts";
import { plain } from "../ui/plain.ts";
import { readAsked } from "./asked.ts";
import { someQuestion } from "./question.ts";

const options = {
  dir: { type: "string", short: "C" },
  file: { type: "string", short: "f" },
  model: { type: "string" },
  json: { type: "boolean" },
  "max-turns": { type: "string" },
  "max-tokens": { type: "string" },
  "max-dollars": { type: "string" },
  timeout: { type: "string" },
  trace: { type: "string" },
  "no-memory": { type: "boolean" },
  "no-project-config": { type: "boolean" },
} as const;

type Values = Arguments<typeof options>["values"];

/** Runs the question to its end and shows it. The exit code. Throws UsageError before anything is asked or written. */
export async function ask(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArguments("ask", args, options);
  const flags = layerOf(values);
  const cwd = currentFolder();
  const { folder, question, texts } = await readAsked(
    { words: positionals, dir: values.dir, file: values.file, cwd },
    io,
  );
  if (io.signal.aborted) return exitCodes.cancelled;
  someQuestion(question);
  const root = chooseRoot({ asked: folder, cwd, home: io.environment.home });
  const configured = values["no-project-config"] === true ? undefined : root;
  const { settings, wish, hidden } = await loadSettings({ root: configured, environment: io.environment, flags });
  const budget = budgetOf(settings);
  const { model, price, notice } = chooseModel(settings, io.environment, budget.dollars !== undefined);
  const id = newRunId(new Date());
  const file = values.trace === undefined ? openTrace(settings.trace.value, id, io) : traceAt(values.trace, cwd);
  for (const text of [noticeOf(wish), hiddenNotice(hidden), notice])
    if (text !== undefined) io.err.write(`${escapeLine(text)}\n`);

  const session = openLog({
    id,
    file,
    onError: (failure) => io.err.write(`croft: ${escapeLine(failure.narration)}\n`),
  });
  const run = openAsk({
    root,
    gate: policyGate(), // nobody is asked: what the policy leaves open is refused
    rules: rulesOf(settings),
    ceiling: io.environment.home,
    searchPath: io.environment.path,
    model,
    price,
    session,
    budget,
    memory: settings.memory.value ? { user: ownMemory(io) } : false,
    emit: values.json === true ? jsonLines(io.out) : plain(io.out, io.err, io.paint),
  });
  try {
    const { status } = await run.ask(question, io.signal, { texts, mentions: mentionsIn(question) });
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

/** What the options set, as one more place that settings come from. */
function layerOf(values: Values): Layer {
  const ms = secondsInMs("timeout", values.timeout);
  return {
    config: {
      model: values.model,
      memory: values["no-memory"] === true ? false : undefined,
      budget: {
        turns: count("max-turns", values["max-turns"]),
        tokens: count("max-tokens", values["max-tokens"]),
        dollars: dollars("max-dollars", values["max-dollars"]),
        seconds: ms === undefined ? undefined : ms / 1000,
      },
    },
    from: () => "the command line",
  };
}

function budgetOf({ budget }: Settings): { steps: number; tokens: number; dollars: number | undefined; ms: number } {
  const { turns, tokens, dollars, seconds } = budget;
  return { steps: turns.value, tokens: tokens.value, dollars: dollars?.value, ms: seconds.value * 1000 };
}

function openTrace(setting: boolean | string, id: string, io: Io): string | undefined {
  if (setting === false) return undefined;
  const { home, stateHome } = io.environment;
  const folder = setting === true ? tracesFolder(stateHome) : expanded(setting, home);
  const trace = traceIn(folder, id);
  if ("file" in trace) return trace.file;
  io.err.write(`No trace is kept: ${escapeLine(trace.reason)}.\n`);
  return undefined;
}

/** Undefined where it begins with `~` and no home is known. */
function expanded(folder: string, home: string | undefined): string | undefined {
  if (!folder.startsWith("~")) return folder;
  return home === undefined ? undefined : home + folder.slice(1);
}
