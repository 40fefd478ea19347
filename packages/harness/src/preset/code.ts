/** The code assembly: a task in a repository, done with tools that change files and run programs, each behind the gate. */

import { citations } from "../check/citations.ts";
import type { Check } from "../check/check.ts";
import type { Event } from "../event.ts";
import { planningGate } from "../gate/planning.ts";
import { explore } from "../tool/code/explore.ts";
import { runCommand } from "../tool/code/run_command.ts";
import { todo } from "../tool/code/todo.ts";
import type { Tool } from "../tool/tool.ts";
import type { Undo } from "../workspace/snapshot.ts";
import { askKind } from "./ask.ts";
import words from "./code.md";
import { codeTools, commandsOf, openCodeDoors, toolsToRun, type CodeDoorOptions } from "./code-tools.ts";
import commandWords from "./commands.md";
import { planningNotes, unlessPlanning } from "./planning.ts";
import { openTurns, type Assembly, type RunBudget, type TurnKind, type TurnOptions, type Turns } from "./turns.ts";
import { undoingWith } from "./undoing.ts";
import { verifyingWith, type VerifyOptions, type Verifying } from "./verifying.ts";

/** What one task may use unless told otherwise. */
export const codeBudget: RunBudget = Object.freeze({ steps: 50, tokens: 5_000_000, ms: 3_600_000, dollars: 5 });

/** A model that leaves less room is not asked for more. */
const maxTokens = 64_000;

export type CodeOptions = TurnOptions &
  Omit<CodeDoorOptions, "before" | "keeper" | "onChange" | "beside"> & {
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

/** The tools that mean something only in a turn with a model. */
export const turnTools: readonly Tool[] = [explore, todo];

export type Coding = {
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
  compact: Turns["compact"];
  context: Turns["context"];
  close: Turns["close"];
};

/** What coding with these tools is made of, apart from a project and a model. */
export function codeAssembly(tools: readonly Tool[]): Assembly {
  const running = tools.includes(runCommand) ? `\n${commandWords}` : "";
  return { system: [{ type: "text", text: words + running }], tools, checks: [toldOnly(citations())] };
}

/** Opens a repository for tasks; where programs are to be run, the sandbox is tried. Throws Failure, E_BAD_RULE too. */
export async function openCode(options: CodeOptions): Promise<Coding> {
  const { undo, planning = () => false } = options;
  const undoing = undo === undefined ? undefined : undoingWith(undo, options.session.id);
  const verifying = verifyingOf(options);
  const commands = await commandsOf({
    ...options,
    commands: options.commands && { ...options.commands, readOnly: planning },
    keeper: undoing?.keeper,
    onChange: () => verifying?.noteChange(),
  });
  const tools = commands === undefined ? codeTools : toolsToRun(commands.enclosed);
  const coding = codeAssembly([...tools, ...turnTools]);
  const checks =
    verifying === undefined ? coding.checks : [unlessPlanning(verifying.check, planning), ...coding.checks];
  const kind: TurnKind = {
    assembly: { ...coding, checks },
    budget: codeBudget,
    maxTokens,
    exploring: askKind(),
    notices: commands?.notices,
    attach: planningNotes(planning, options.session),
  };
  const steering = verifying?.steering(options.steering) ?? options.steering;
  const { take, ...rest } = openTurns({ ...options, steering }, kind, (given) => {
    const before = verifying?.before(undoing?.before) ?? undoing?.before;
    const otherwise = verifying?.gate(given.gate) ?? given.gate;
    const gate = planningGate({ planning, whilePlanning: given.gate, otherwise });
    const doors = openCodeDoors({ ...options, ...given, gate, before, beside: turnTools }, commands);
    verifying?.use(doors.runner);
    return doors;
  });
  const kept = undoing?.kept(take) ?? take;
  const verify: Verifying["now"] | undefined =
    verifying &&
    ((onOutput, signal) => {
      const now = (): ReturnType<Verifying["now"]> => verifying.now(onOutput, signal);
      return undoing === undefined ? now() : undoing.within("The check was run.", now);
    });
  return { run: verifying?.kept(kept) ?? kept, enclosed: commands?.enclosed, verify, ...rest };
}

function verifyingOf({ verify, commands, root, session, emit }: CodeOptions): Verifying | undefined {
  if (verify === undefined || commands === undefined) return undefined;
  const record = (event: Event): void => {
    session.append(event);
    emit(event);
  };
  return verifyingWith(verify, { root, folder: commands.outputs, emit: record });
}

/** A check whose findings a person sees, and which sends nothing back: the work is done, whatever is said of it. */
export function toldOnly(check: Check): Check {
  return {
    ...check,
    async run(turn, emit, signal) {
      await check.run(turn, emit, signal);
      return { pass: true };
    },
  };
}
