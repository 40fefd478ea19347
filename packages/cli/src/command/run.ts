/** `croft run`: one task in a project, done by changing files and running programs, each behind the gate. */

import { codeBudget, type Event, type Model } from "@croft/harness";
import { parseArguments } from "../arguments.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../usage.ts";
import { codingGate, codingOptions, grantsOf, openCoding, toolsOf, type Grants } from "../session/coding.ts";
import { oneTurn, turnOptions, type TurnCommand } from "./turn.ts";
import { refusalHint } from "./refusal-hint.ts";

const options = { ...turnOptions, ...codingOptions } as const;

const nothing = {
  message: "There is no task.",
  usage: 'Usage: croft run "<task>", for example croft run "Rename load to read everywhere"',
};

/** Runs the task to its end and shows it. The exit code. Throws UsageError before anything is asked or written. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArguments("run", args, options);
  return oneTurn(running(grantsOf(values), io), positionals, values, io);
}

/**
 * A task, with what the person has said yes to beforehand. `onlyChanges`: it may be a question, and then nothing is said
 * of verification.
 */
export function running(grants: Grants, io: Io, { onlyChanges }: { onlyChanges?: true } = {}): TurnCommand {
  return {
    folderFirst: false,
    nothing,
    budget: codeBudget,
    demand: writing,
    async open(given, settings) {
      const hint = io.interactive ? undefined : refusalHint(grants.yes, io);
      const emit = (event: Event): void => {
        given.emit(event);
        hint?.(event);
      };
      const gate = codingGate(grants, given.root, io);
      const parts = { settings, tools: toolsOf(given.past, settings), grants, gate, onlyChanges };
      const { run: take, close } = await openCoding({ ...given, emit }, parts, io);
      return { take, close };
    },
  };
}

/** The rules of the offline model find things; they write nothing. */
function writing({ id }: Model): void {
  if (id !== "offline") return;
  throw new UsageError(
    "E_OFFLINE",
    "The offline model answers questions about a project; it cannot change one.",
    "Name a model with --model, or set ANTHROPIC_API_KEY; croft ask works without.",
  );
}
