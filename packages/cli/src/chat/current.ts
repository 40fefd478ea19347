/** The session that a chat is in: the same doors, gate and log as of a single turn, open for one message after another. */

import {
  openAsk,
  policyGate,
  type AskedMore,
  type ToolsetName,
  type Work,
  type Asking,
  type Ask,
  type Event,
  type Model,
  type Rule,
  type Session,
} from "@croft/harness";
import { codingGate, openCoding, toolsOf, type Grants } from "../session/coding.ts";
import { openSession, type Open, type Opened, type Ready, type Resumed } from "../session/open-session.ts";
import { ownRules } from "../config/own-places.ts";
import { rulesOf } from "../config/settings.ts";
import type { Notify } from "../config/config.ts";
import type { ChosenModel } from "../config/model.ts";
import type { Io } from "../io.ts";
import type { Mode, ChatStatus } from "./screen.ts";

export type Current = {
  readonly session: Session;
  readonly model: Model;
  /** From the next turn on. */
  useModel(chosen: ChosenModel): void;
  useCeiling: Work["useCeiling"];
  /** ask: nothing is changed in it, whatever the mode. */
  readonly preset: ToolsetName;
  readonly sandbox: NonNullable<ChatStatus["sandbox"]>;
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
  verify: Work["verify"];
  close(): Promise<void>;
};

/** What all sessions of a chat share. */
export type Shared = {
  root: string;
  grants: Grants;
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

/** Which tools a session has: those it was begun with, and a new one what the person wants and its model can use. */
export function presetFor({ ready, resumed }: Beginning): ToolsetName {
  const isNew = resumed === undefined;
  return isNew && ready.chosen.model.id === "offline" ? "ask" : toolsOf(resumed?.past, ready.settings);
}

/** Throws UsageError, and Failure where the root cannot be opened. */
export async function openCurrent(beginning: Beginning, shared: Shared, io: Io): Promise<Current> {
  const { ready, resumed } = beginning;
  const { root, emit } = shared;
  let { model } = ready.chosen;
  const preset = presetFor(beginning);
  const open = preset === "ask" ? asking(shared) : coding(preset, shared, io);
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
    useCeiling: doors.useCeiling,
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

type ForTalking = Opened &
  Pick<Work, "useModel" | "useCeiling" | "compact" | "context" | "verify"> &
  Pick<Current, "sandbox">;

function asking({ steering, onCharge }: Shared): Open<ForTalking> {
  return (options) => {
    const { ask: take, ...rest } = openAsk({ ...options, steering, onCharge, gate: policyGate() }); // what it leaves open is refused
    return { take, ...rest, verify: undefined, sandbox: "none" };
  };
}

function coding(tools: ToolsetName, shared: Shared, io: Io): Open<ForTalking> {
  const { root, grants, mode, ask, steering, onCharge } = shared;
  return async (options, settings) => {
    const gate = codingGate({ ...grants, yes: () => mode() === "yes" }, root, io, ask);
    const parts = { settings, tools, grants, gate, planning: () => mode() === "plan", onlyChanges: true };
    const { run: take, enclosed, ...rest } = await openCoding({ ...options, steering, onCharge }, parts, io);
    return { take, ...rest, sandbox: enclosed === undefined ? "none" : enclosed ? "on" : "off" };
  };
}
