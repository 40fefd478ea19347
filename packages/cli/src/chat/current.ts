/** The session that a chat is in: the same doors, gate and log as of a single turn, open for one message after another. */

import {
  openAsk,
  policyGate,
  presetOf,
  type AskedMore,
  type Coding,
  type Asking,
  type Ask,
  type Event,
  type Model,
  type Rule,
  type Session,
} from "@croft/harness";
import { codingGate, openCoding, type Leave } from "../command/coding.ts";
import { openSession, type Open, type Opened, type Ready, type Resumed } from "../command/open-session.ts";
import { ownRules } from "../config/own-places.ts";
import { rulesOf } from "../config/settings.ts";
import type { Notify } from "../config/config.ts";
import type { ChosenModel } from "../config/model.ts";
import type { Io } from "../io.ts";
import type { Mode, Standing } from "./screen.ts";

export type Preset = "ask" | "code";

export type Current = {
  readonly session: Session;
  readonly model: Model;
  /** From the next turn on. */
  useModel(chosen: ChosenModel): void;
  /** ask: nothing is changed in it, whatever the mode. */
  readonly preset: Preset;
  readonly sandbox: Standing["sandbox"];
  /** Models by names of the user's own. */
  readonly named: readonly string[];
  /** What is heard when a long turn ends. */
  readonly notify: Notify;
  /** Rules about paths, of the user and of croft. */
  readonly rules: readonly Rule[];
  take: Asking["ask"];
  compact: Asking["compact"];
  context: Asking["context"];
  /** Runs the project's own check; undefined where none is run in this session. */
  verify: Coding["verify"];
  close(): Promise<void>;
};

/** What all sessions of a chat share. */
export type Around = {
  root: string;
  leave: Leave;
  /** Asked about each action anew. */
  mode: () => Mode;
  ask: Ask;
  /** Takes what was entered for the running turn. */
  steering: () => readonly AskedMore[];
  /** Told what each request counts against the ceiling, in dollars. */
  onCharge: (dollars: number) => void;
  emit: (event: Event) => void;
};

/** `ready`: with the model; `resumed`: undefined for a new one. */
export type Beginning = { ready: Ready; resumed: Resumed | undefined };

/** Which assembly a session has: the one it was begun with, and a new one what its model can do. */
export function presetFor({ ready, resumed }: Beginning): Preset {
  if (resumed !== undefined) return presetOf(resumed.past);
  return ready.chosen.model.id === "offline" ? "ask" : "code";
}

/** Throws UsageError, and Failure where the root cannot be opened. */
export async function openCurrent(beginning: Beginning, around: Around, io: Io): Promise<Current> {
  const { ready, resumed } = beginning;
  const { root, emit } = around;
  let { model } = ready.chosen;
  const preset = presetFor(beginning);
  const open = preset === "code" ? coding(around, io) : asking(around);
  const { session, take, doors, close } = await openSession(open, ready, { root, resumed, trace: undefined, emit }, io);
  return {
    session,
    get model() {
      return model;
    },
    useModel(chosen) {
      ({ model } = chosen);
      doors.useModel(model, chosen.price);
    },
    preset,
    sandbox: doors.sandbox,
    notify: ready.settings.notify.value,
    named: [...ready.settings.models.keys()],
    rules: [...rulesOf(ready.settings), ...ownRules(root, io.environment)],
    take,
    compact: doors.compact,
    context: doors.context,
    verify: doors.verify,
    close,
  };
}

type ForTalking = Opened & Pick<Coding, "useModel" | "compact" | "context" | "verify"> & Pick<Current, "sandbox">;

function asking({ steering, onCharge }: Around): Open<ForTalking> {
  return (options) => {
    const { ask: take, ...rest } = openAsk({ ...options, steering, onCharge, gate: policyGate() }); // what it leaves open is refused
    return { take, ...rest, verify: undefined, sandbox: "none" };
  };
}

function coding({ root, leave, mode, ask, steering, onCharge }: Around, io: Io): Open<ForTalking> {
  return async (options, settings) => {
    const gate = codingGate({ ...leave, yes: () => mode() === "yes" }, root, io, ask);
    const parts = { settings, leave, gate, planning: () => mode() === "plan", onlyChanges: true };
    const { run: take, enclosed, ...rest } = await openCoding({ ...options, steering, onCharge }, parts, io);
    return { take, ...rest, sandbox: enclosed === undefined ? "none" : enclosed ? "on" : "off" };
  };
}
