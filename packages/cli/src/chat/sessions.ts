/** One session behind the other: a chat is in one at a time, and leaves it in good order for the next. */

import { holdSession } from "../session/hold-session.ts";
import { makeReady, type Project, type Ready, type Resumed } from "../session/open-session.ts";
import type { Layer } from "../config/settings.ts";
import type { Io } from "../io.ts";
import { openCurrent, presetFor, type Shared, type Beginning, type Current } from "./current.ts";
import type { Next } from "./talk.ts";

export interface Sessions {
  /** Throws as long as none is open. */
  readonly current: Current;
  /** What is known of it, of the first one before it is open too. */
  readonly known: Known;
  /**
   * Opens the first one, which tries the sandbox where programs are run, no longer than until the signal fires. Throws
   * UsageError, and Failure.
   */
  open(signal: AbortSignal): Promise<void>;
  /**
   * Closes the session and opens the next one. Throws UsageError, and Failure, where there can be none; then the old
   * one goes on.
   */
  begin(next: Next): Promise<void>;
  /** From the next turn on the rest of the chat may cost so much, in dollars. */
  useCeiling(dollars: number): void;
  close(): Promise<void>;
}

export type Known = Pick<Current, "model" | "preset"> & Partial<Pick<Current, "sandbox" | "session">>;

export type SessionsOptions = { project: Project; shared: Omit<Shared, "onCharge">; resumed: Resumed | undefined };

/** Reads the settings and makes the model; nothing is opened yet. Throws UsageError. */
export async function readySessions({ project, shared: given, resumed }: SessionsOptions, io: Io): Promise<Sessions> {
  let { flags } = project;
  /** Dollars that count against a ceiling, which is one for the whole chat. */
  let gone = 0;
  const shared: Shared = { ...given, onCharge: (dollars) => void (gone += dollars) };

  /** `model`: named for what comes. */
  async function ready(past: Resumed["past"] | undefined, model: string | undefined): Promise<Ready> {
    const asked = model ?? flags.config.model;
    const layer = model === undefined ? flags : withModel(flags, model);
    return makeReady({ ...project, flags: layer }, { past, asked }, io);
  }

  const first: Beginning = { ready: await ready(resumed?.past, undefined), resumed };
  const known: Known = { model: first.ready.chosen.model, preset: presetFor(first) };
  let current: Current | undefined;
  let isOpen = true;

  function opened(): Current {
    if (current === undefined) throw new Error("no session is open yet");
    return current;
  }

  async function end(): Promise<void> {
    if (!isOpen) return;
    isOpen = false;
    await current?.close();
  }

  async function goOnWith(beginning: Beginning): Promise<void> {
    current = await openCurrent({ ...beginning, ready: lowered(beginning.ready, gone) }, shared, io);
    isOpen = true;
  }

  async function resume(file: string): Promise<void> {
    const held = await holdSession(file, project.root, { cwd: project.root, home: io.environment.home });
    try {
      const made = await ready(held.past, undefined);
      await end();
      await goOnWith({ ready: made, resumed: held });
    } catch (thrown) {
      held.lock[Symbol.dispose]();
      throw thrown;
    }
  }

  /** The same session, where its assembly fits the model; else a new one. */
  async function change(model: string): Promise<void> {
    const made = await ready(undefined, model);
    const fits = presetFor({ ready: made, resumed: undefined }) === opened().preset;
    flags = withModel(flags, model);
    if (fits) return opened().useModel(made.chosen);
    await end();
    await goOnWith({ ready: made, resumed: undefined });
  }

  return {
    get current() {
      return opened();
    },
    get known() {
      return current ?? known;
    },
    async open(signal) {
      current = await openCurrent(first, shared, { ...io, signal });
    },
    async begin(next) {
      if (next.kind === "resume") return resume(next.file);
      if (next.kind === "model") return change(next.name);
      const made = await ready(undefined, undefined);
      await end();
      return goOnWith({ ready: made, resumed: undefined });
    },
    useCeiling(dollars) {
      gone = 0;
      flags = { ...flags, config: { ...flags.config, budget: { ...flags.config.budget, dollars } } };
      opened().useCeiling(dollars);
    },
    close: end,
  };
}

function withModel(flags: Layer, model: string): Layer {
  return { ...flags, config: { ...flags.config, model } };
}

/** An explicit ceiling, less what is gone. */
function lowered(ready: Ready, gone: number): Ready {
  const { budget } = ready.settings;
  if (budget.dollars === undefined || budget.dollars.from === "default") return ready;
  const dollars = { ...budget.dollars, value: Math.max(0, budget.dollars.value - gone) };
  return { ...ready, settings: { ...ready.settings, budget: { ...budget, dollars } } };
}
