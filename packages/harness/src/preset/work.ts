/** Work in a project, whatever the tools: turns behind the gate, kept for undo, verified, or only planned. */

import type { Check } from "../check/check.ts";
import { citations } from "../check/citations.ts";
import type { Event } from "../event.ts";
import { planningGate } from "../gate/planning.ts";
import { recorder } from "../session/session.ts";
import type { Undo } from "../workspace/snapshot.ts";
import type { CodeDoorOptions } from "./code-tools.ts";
import commandWords from "./commands.md";
import type { Commands } from "./commands.ts";
import type { Doors } from "./doors.ts";
import { planningNotes, unlessPlanning } from "./planning.ts";
import {
  openTurns,
  type Assembly,
  type ExploringKind,
  type RunBudget,
  type TurnKind,
  type TurnOptions,
  type Turns,
} from "./turns.ts";
import { undoingWith } from "./undoing.ts";
import { verifyingWith, type VerifyOptions, type Verifying } from "./verifying.ts";

/** What one task may use unless told otherwise. */
export const codeBudget: RunBudget = Object.freeze({ steps: 50, tokens: 5_000_000, ms: 3_600_000, dollars: 5 });

/** A model that leaves less room is not asked for more. */
const maxTokens = 64_000;

export type WorkOptions = TurnOptions &
  Omit<CodeDoorOptions, "before" | "keeper" | "onChange"> & {
    /** Keeps what each turn changes. Without it, what is replaced is gone. */
    undo?: Undo | undefined;
    /** Runs the project's own check after a turn that changed files, where programs are run. Absent: nothing is verified. */
    verify?: VerifyOptions | undefined;
    /**
     * Whether the user only wants a plan, asked about each action anew: then nothing of the project is changed, commands
     * find it read-only and nothing is verified. The model is told with the user's next words.
     */
    planning?: (() => boolean) | undefined;
  };

/** A session of tasks. Whoever opens it closes it. */
export type Work = {
  /** One turn. Throws only for a fault in croft itself; every outcome is a status. */
  run: Turns["take"];
  /** Whether a sandbox holds the commands; undefined where none are run. */
  enclosed: boolean | undefined;
  /**
   * Runs the project's own check as `Verifying.now` does, its changes kept for undo; undefined where nothing is
   * verified.
   */
  verify: Verifying["now"] | undefined;
  useModel: Turns["useModel"];
  useCeiling: Turns["useCeiling"];
  compact: Turns["compact"];
  context: Turns["context"];
  close: Turns["close"];
};

/** A kind of work: tools behind doors, and what is said of them. */
export type WorkKind = {
  /** For the model, beside what holds for all programs. */
  readonly words: string;
  /** Put to each answer, beside what it cites. */
  readonly checks: readonly Check[];
  /** What a question is that the model hands on; absent where none of the tools does. */
  readonly exploring?: ExploringKind | undefined;
  /** Tries the sandbox, where programs are to be run. */
  openCommands(options: CodeDoorOptions): Promise<Commands | undefined>;
  openDoors(options: CodeDoorOptions, commands: Commands | undefined): Doors;
  /** Asked once a turn, before it stops: what is to be told still. */
  lastWords?(): readonly Event[];
};

/** What the model is told, and what its answers are put to. `runs`: it may run programs. */
export function workAssembly(
  { words, checks }: Pick<WorkKind, "words" | "checks">,
  { runs }: { runs: boolean },
): Omit<Assembly, "tools"> {
  const text = runs ? `${words}\n${commandWords}` : words;
  return { system: [{ type: "text", text }], checks: [...checks, toldOnly(citations())] };
}

/** Opens a repository for tasks; where programs are to be run, the sandbox is tried. Throws Failure, E_BAD_RULE too. */
export async function openWork(kind: WorkKind, options: WorkOptions): Promise<Work> {
  const { undo, session, emit, planning = () => false } = options;
  const record = recorder(session, emit);
  const undoing = undo === undefined ? undefined : undoingWith(undo, session.id);
  const verifying = verifyingOf(options, record);
  const commands = await kind.openCommands({
    ...options,
    commands: options.commands && { ...options.commands, readOnly: planning },
    keeper: undoing?.keeper,
    onChange: () => verifying?.noteChange(),
  });
  const { system, checks } = workAssembly(kind, { runs: commands !== undefined });
  const verified =
    verifying === undefined ? [] : [unlessPlanning(verifying.check, planning, () => verifying.hasChanged())];
  const turns: TurnKind = {
    assembly: { system, checks: [...verified, ...checks] },
    budget: codeBudget,
    maxTokens,
    exploring: kind.exploring,
    notices: commands?.notices,
    lastWords: () => kind.lastWords?.() ?? [],
    attach: planningNotes(planning, session),
  };
  const steering = verifying?.steering(options.steering) ?? options.steering;
  const { take, ...rest } = openTurns({ ...options, steering }, turns, (given) => {
    const before = verifying?.before(undoing?.before) ?? undoing?.before;
    const otherwise = verifying?.gate(given.gate) ?? given.gate;
    const gate = planningGate({ planning, whilePlanning: given.gate, otherwise });
    const doors = kind.openDoors({ ...options, ...given, gate, before }, commands);
    verifying?.use(doors.runner);
    return doors;
  });
  const kept = undoing?.kept(take) ?? take;
  const run = verifying?.kept(kept) ?? kept;
  const verify: Verifying["now"] | undefined =
    verifying &&
    ((onOutput, signal) => {
      const now = (): ReturnType<Verifying["now"]> => verifying.now(onOutput, signal);
      return undoing === undefined ? now() : undoing.within("The check was run.", now);
    });
  return { run, enclosed: commands?.enclosed, verify, ...rest };
}

function verifyingOf({ verify, commands, root }: WorkOptions, record: (event: Event) => void): Verifying | undefined {
  if (verify === undefined || commands === undefined) return undefined;
  return verifyingWith(verify, { root, folder: commands.outputs, cache: commands.cache, emit: record });
}

/** A check whose findings a person sees, and which sends nothing back: the work is done, whatever is said of it. */
function toldOnly(check: Check): Check {
  return {
    ...check,
    async run(turn, emit, signal) {
      await check.run(turn, emit, signal);
      return { pass: true };
    },
  };
}
