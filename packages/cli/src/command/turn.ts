/** One turn with a model, from a command line to an exit code: what `croft ask` and `croft run` share. */

import { mentionsIn, toolsetNames, type Model, type RunBudget, type ToolsetName } from "@croft/harness";
import { count, dollars, secondsInMs, type Arguments } from "../arguments.ts";
import { chooseRoot, currentFolder } from "../config/root.ts";
import { commandLine, type Layer } from "../config/settings.ts";
import { traceAt } from "../config/trace.ts";
import { exitCodes } from "../exit.ts";
import type { Io } from "../io.ts";
import { jsonLines } from "../ui/json.ts";
import { plain } from "../ui/plain.ts";
import { openSpinner } from "../ui/spinner.ts";
import { UsageError } from "../usage.ts";
import { readAsked } from "./asked.ts";
import { makeReady, openSession, type Open, type Opened, type Resumed } from "../session/open-session.ts";

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
/** Of the commands that have a choice. */
type ToolsValue = { tools?: string | undefined };

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
  open: Open<Opened>;
};

/** Runs the turn to its end and shows it. The exit code. Throws UsageError before anything is asked or written. */
export async function oneTurn(
  kind: TurnCommand,
  words: readonly string[],
  values: Values & ToolsValue,
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
  const project = { root, own: values["no-project-config"] !== true, flags, usual: kind.budget };
  const ready = await makeReady(project, { past: resumed?.past, asked: values.model }, io);
  kind.demand?.(ready.chosen.model);
  const emit =
    values.json === true
      ? jsonLines(io.out)
      : plain(io.out, io.err, io.paint, { spinner: io.live ? openSpinner(io.err) : undefined });
  const trace = values.trace === undefined ? undefined : traceAt(values.trace, cwd);
  const session = await openSession(kind.open, ready, { root, resumed, trace, emit }, io);
  try {
    const { status } = await session.take(question, io.signal, { texts, mentions: mentionsIn(question) });
    return exitCodes[status];
  } finally {
    await session.close();
  }
}

/** What the options set, as one more place that settings come from. */
export function layerOf(
  values: Pick<Values, "model" | "no-memory" | "timeout" | `max-${"turns" | "tokens" | "dollars"}`> & ToolsValue,
): Layer {
  const ms = secondsInMs("timeout", values.timeout);
  return {
    config: {
      model: values.model,
      tools: toolsNamed(values.tools),
      memory: values["no-memory"] === true ? false : undefined,
      budget: {
        turns: count("max-turns", values["max-turns"]),
        tokens: count("max-tokens", values["max-tokens"]),
        dollars: dollars("max-dollars", values["max-dollars"]),
        seconds: ms === undefined ? undefined : ms / 1000,
      },
    },
    from: () => commandLine,
  };
}

/** Throws UsageError E_ARGUMENTS. */
export function toolsNamed(name: string | undefined): ToolsetName | undefined {
  const found = toolsetNames.find((one) => one === name);
  if (name === undefined || found !== undefined) return found;
  const remedy = `There are: ${toolsetNames.join(", ")}.`;
  throw new UsageError("E_ARGUMENTS", `There are no tools called ${JSON.stringify(name)}.`, remedy);
}
