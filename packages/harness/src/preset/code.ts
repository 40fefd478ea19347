/** The code assembly: a task in a repository, done with tools that change files, each behind the gate. */

import { citations } from "../check/citations.ts";
import type { Check } from "../check/check.ts";
import type { Undo } from "../workspace/snapshot.ts";
import words from "./code.md";
import { codeTools, openCodeTools, type CodeDoorOptions } from "./code-tools.ts";
import { openTurns, type Assembly, type RunBudget, type TurnOptions, type Turns } from "./turns.ts";
import { undoingWith } from "./undoing.ts";

/** What one task may use unless told otherwise. */
export const codeBudget: RunBudget = Object.freeze({ steps: 50, tokens: 5_000_000, ms: 3_600_000, dollars: 5 });

/** A model that leaves less room is not asked for more. */
const maxTokens = 64_000;

export type CodeOptions = TurnOptions &
  Omit<CodeDoorOptions, "before"> & {
    /** Keeps what each turn changes. Without it, what is replaced is gone. */
    undo?: Undo | undefined;
  };

export type Coding = {
  /** One turn. Throws only for a fault in croft itself; every outcome is a status. */
  run: Turns["take"];
  close: Turns["close"];
};

/** What coding is made of, apart from a project and a model. */
export function codeAssembly(): Assembly {
  return { system: [{ type: "text", text: words }], tools: codeTools, checks: [toldOnly(citations())] };
}

/** Opens a repository for tasks. Throws Failure where the root cannot be opened. */
export function openCode(options: CodeOptions): Coding {
  const kind = { assembly: codeAssembly(), budget: codeBudget, maxTokens };
  const undoing = options.undo === undefined ? undefined : undoingWith(options.undo, options.session.id);
  const { take, close } = openTurns(options, kind, (doors) =>
    openCodeTools({ ...options, ...doors, before: undoing?.before }),
  );
  return { run: undoing?.kept(take) ?? take, close };
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
