/** A session opened from flags, settings and the environment: what one turn on a command line and a whole chat share. */

import { rmSync } from "node:fs";
import {
  openLog,
  presetOf,
  type Asking,
  type Event,
  type MemoryFile,
  type Past,
  type RunBudget,
  type Session,
  type TurnOptions,
} from "@croft/harness";
import { hiddenNotice, loadSettings, noticeOf } from "../config/load.ts";
import { readUserMemory } from "../config/memory.ts";
import { chooseModel, modelOf, type ChosenModel } from "../config/model.ts";
import { assertApart, ownRules } from "../config/own-places.ts";
import { secretsOf } from "../config/secrets.ts";
import { commandLine, rulesOf, type Layer, type Settings } from "../config/settings.ts";
import { newRunId, traceIn, tracesFolder, type NewTrace } from "../config/trace.ts";
import type { Io } from "../io.ts";
import { escapeLine } from "../ui/escape.ts";

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

/** A project as the person wants it worked in. */
export type Project = {
  root: string;
  /** Whether its own configuration counts. */
  own: boolean;
  flags: Layer;
  /** What a run may use where nobody says. */
  usual: RunBudget;
};

/** What is known before anything is opened. */
export type Ready = {
  settings: Settings;
  chosen: ChosenModel;
  /** What the person should know of it, in sentences. */
  notices: readonly string[];
};

/** `past`: where a session goes on. `asked`: the model that was named for it. */
type Goal = { past: Past | undefined; asked: string | undefined };

/** Reads the settings and makes the model. Throws UsageError. */
export async function makeReady({ root, own, flags, usual }: Project, { past, asked }: Goal, io: Io): Promise<Ready> {
  const { environment } = io;
  assertApart(root, environment);
  const { settings, widening, hidden } = await loadSettings({
    root: own ? root : undefined,
    environment,
    flags,
    usual,
  });
  const wanted = past === undefined ? settings : modelOf(past, settings, asked, environment);
  const chosen = chooseModel(wanted, environment);
  const notices = [noticeOf(widening), hiddenNotice(hidden), chosen.notice, otherTools(past, settings)];
  return { settings, chosen, notices: notices.filter((text) => text !== undefined) };
}

/** Whoever asks for other tools than a session has is told: calls and thoughts in it are bound to those it was made with. */
function otherTools(past: Past | undefined, { tools }: Settings): string | undefined {
  const kept = past && presetOf(past);
  if (kept === undefined || kept === tools.value || tools.from !== commandLine) return undefined;
  return `The session goes on with the tools it was begun with, ${kept}: those of ${tools.value} are for a new one.`;
}

export type Opened = { take: Asking["ask"]; close: () => Promise<void> };
/** Opens the doors, with a gate. */
export type Open<Kind extends Opened> = (
  options: Omit<TurnOptions, "gate">,
  settings: Settings,
) => Kind | Promise<Kind>;

export type SessionParts = {
  root: string;
  resumed: Resumed | undefined;
  /** A file that the person named; undefined: a new one where the settings have it. */
  trace: string | undefined;
  emit: (event: Event) => void;
};

export type OpenedSession<Kind extends Opened> = Pick<Kind, "take"> & {
  session: Session;
  doors: Kind;
  close: () => Promise<void>;
};

/** Makes the trace, tells the notices, and opens the doors. Throws UsageError, and Failure where the root is none. */
export async function openSession<Kind extends Opened>(
  open: Open<Kind>,
  { settings, chosen, notices }: Ready,
  { root, resumed, trace: named, emit }: SessionParts,
  io: Io,
): Promise<OpenedSession<Kind>> {
  const { environment, err } = io;
  const id = resumed?.id ?? newRunId(new Date());
  const trace = resumed ?? (named === undefined ? newTrace(settings.trace.value, id, io) : { file: named });
  for (const text of notices) err.write(`${escapeLine(text)}\n`);
  const session = openLog({
    id,
    file: trace?.file,
    earlier: resumed?.past,
    onError: (failure) => err.write(`croft: ${escapeLine(failure.narration)}\n`),
  });
  const release = (): void => {
    session.close();
    if (session.spent.turns === 0 && named === undefined && trace !== undefined) rmSync(trace.file, { force: true });
    trace?.lock?.[Symbol.dispose]();
  };
  const options: Omit<TurnOptions, "gate"> = {
    root,
    rules: [...rulesOf(settings), ...ownRules(root, environment)],
    secrets: secretsOf(settings, resumed?.past.origin ?? id, environment),
    ceiling: environment.home,
    searchPath: environment.path,
    model: chosen.model,
    price: chosen.price,
    session,
    past: resumed?.past,
    budget: budgetOf(settings),
    memory: settings.memory.value ? { user: ownMemory(io) } : false,
    emit,
  };
  try {
    const doors = await open(options, settings);
    return {
      take: doors.take,
      session,
      doors,
      async close() {
        try {
          await doors.close();
        } finally {
          release();
        }
      },
    };
  } catch (thrown) {
    release();
    throw thrown;
  }
}

function ownMemory({ environment, err }: Io): MemoryFile | undefined {
  const memory = readUserMemory(environment);
  if (memory === undefined || "text" in memory) return memory;
  err.write(`Your own memory file is not loaded: ${escapeLine(memory.reason)}.\n`);
  return undefined;
}

/** A ceiling that nobody asked for is left to the assembly, which keeps it where the model has a price. */
function budgetOf({ budget }: Settings): Partial<RunBudget> {
  const { turns, tokens, dollars, seconds } = budget;
  const ceiling = dollars?.from === "default" ? undefined : dollars?.value;
  return { steps: turns.value, tokens: tokens.value, dollars: ceiling, ms: seconds.value * 1000 };
}

function newTrace(setting: boolean | string, id: string, io: Io): NewTrace | undefined {
  if (setting === false) return undefined;
  const trace = traceIn(tracesFolder(setting, io.environment), id);
  if ("file" in trace) return trace;
  io.err.write(`No trace is kept: ${escapeLine(trace.reason)}.\n`);
  return undefined;
}
