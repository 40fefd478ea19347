/** One turn with a model, from a command line to an exit code: what `croft ask` and `croft run` share. */

import {
  mentionsIn,
  openLog,
  type Asking,
  type MemoryFile,
  type Model,
  type Past,
  type RunBudget,
  type TurnOptions,
} from "@croft/harness";
import { count, dollars, secondsInMs, type Arguments } from "../arguments.ts";
import { hiddenNotice, loadSettings, noticeOf } from "../config/load.ts";
import { readUserMemory } from "../config/memory.ts";
import { chooseModel, modelOf } from "../config/model.ts";
import { assertApart, ownRules } from "../config/own-places.ts";
import { chooseRoot, currentFolder } from "../config/root.ts";
import { rulesOf, type Layer, type Settings } from "../config/settings.ts";
import { secretsOf } from "../config/secrets.ts";
import { newRunId, traceAt, traceIn, tracesFolder, type NewTrace } from "../config/trace.ts";
import { exitCodes } from "../exit.ts";
import type { Io } from "../io.ts";
import { escapeLine } from "../ui/escape.ts";
import { jsonLines } from "../ui/json.ts";
import { plain } from "../ui/plain.ts";
import { openSpinner } from "../ui/spinner.ts";
import { UsageError } from "../usage.ts";
import { readAsked } from "./asked.ts";

/** What such a command understands. */
export const turnOptions = {
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

type Values = Arguments<typeof turnOptions>["values"];

/** What one command has of its own. */
export type TurnCommand = {
  /** Whether a first word that names a folder is the project. */
  folderFirst: boolean;
  /** Said where there is nothing to do, and how it is called. */
  nothing: { message: string; usage: string };
  /** What a run may use where nobody says. */
  budget: RunBudget;
  /** Throws UsageError for a model that cannot do it. */
  demand?: ((model: Model) => void) | undefined;
  /** Opens the doors, with a gate. */
  open: (options: Omit<TurnOptions, "gate">, settings: Settings) => Opened | Promise<Opened>;
};
/** A session that goes on. */
export type Resumed = {
  id: string;
  file: string;
  lock: Disposable;
  past: Past;
  root: string;
  /** What is said where nothing is. */
  task: string | undefined;
};
export type Opened = { take: Asking["ask"]; close: () => Promise<void> };

/** Runs the turn to its end and shows it. The exit code. Throws UsageError before anything is asked or written. */
export async function oneTurn(
  kind: TurnCommand,
  words: readonly string[],
  values: Values,
  io: Io,
  resumed?: Resumed,
): Promise<number> {
  const flags = layerOf(values);
  const cwd = currentFolder();
  const asked = await readAsked({ words, dir: values.dir, file: values.file, folderFirst: kind.folderFirst, cwd }, io);
  const { folder, texts } = asked;
  if (io.signal.aborted) return exitCodes.cancelled;
  const question = asked.question === "" ? (resumed?.task ?? "") : asked.question;
  if (question === "") throw new UsageError("E_NO_QUESTION", kind.nothing.message, kind.nothing.usage);
  const root = resumed?.root ?? chooseRoot({ asked: folder, cwd, home: io.environment.home });
  assertApart(root, io.environment);
  const { settings, wish, hidden } = await loadSettings({
    root: values["no-project-config"] === true ? undefined : root,
    environment: io.environment,
    flags,
    usual: kind.budget,
  });
  const wanted = resumed === undefined ? settings : modelOf(resumed.past, settings, values.model, io.environment);
  const { model, price, notice } = chooseModel(wanted, io.environment, settings.budget.dollars !== undefined);
  kind.demand?.(model);
  const id = resumed?.id ?? newRunId(new Date());
  const trace =
    resumed ??
    (values.trace === undefined ? openTrace(settings.trace.value, id, io) : { file: traceAt(values.trace, cwd) });
  for (const text of [noticeOf(wish), hiddenNotice(hidden), notice])
    if (text !== undefined) io.err.write(`${escapeLine(text)}\n`);

  const session = openLog({
    id,
    file: trace?.file,
    earlier: resumed?.past,
    onError: (failure) => io.err.write(`croft: ${escapeLine(failure.narration)}\n`),
  });
  const options: Omit<TurnOptions, "gate"> = {
    root,
    rules: [...rulesOf(settings), ...ownRules(root, io.environment)],
    secrets: secretsOf(settings, resumed?.past.origin ?? id, io.environment),
    ceiling: io.environment.home,
    searchPath: io.environment.path,
    model,
    price,
    session,
    past: resumed?.past,
    budget: budgetOf(settings),
    memory: settings.memory.value ? { user: ownMemory(io) } : false,
    emit:
      values.json === true
        ? jsonLines(io.out)
        : plain(io.out, io.err, io.paint, io.live ? openSpinner(io.err) : undefined),
  };
  const turns = await kind.open(options, settings);
  try {
    const { status } = await turns.take(question, io.signal, { texts, mentions: mentionsIn(question) });
    return exitCodes[status];
  } finally {
    await turns.close();
    session.close();
    trace?.lock?.[Symbol.dispose]();
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

/** A ceiling that nobody asked for is left to the assembly, which keeps it where the model has a price. */
function budgetOf({ budget }: Settings): Partial<RunBudget> {
  const { turns, tokens, dollars, seconds } = budget;
  const ceiling = dollars?.from === "default" ? undefined : dollars?.value;
  return { steps: turns.value, tokens: tokens.value, dollars: ceiling, ms: seconds.value * 1000 };
}

function openTrace(setting: boolean | string, id: string, io: Io): NewTrace | undefined {
  if (setting === false) return undefined;
  const trace = traceIn(tracesFolder(setting, io.environment), id);
  if ("file" in trace) return trace;
  io.err.write(`No trace is kept: ${escapeLine(trace.reason)}.\n`);
  return undefined;
}
