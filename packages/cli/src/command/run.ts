/** `croft run`: one task in a project, done by changing files, each change behind the gate. */

import { codeBudget, codeGate, openCode, type Event, type Model } from "@croft/harness";
import { parseArguments } from "../arguments.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../usage.ts";
import { askerOf } from "./asker.ts";
import { undoIfAny } from "./open-undo.ts";
import { oneTurn, turnOptions, type Kind } from "./turn.ts";
import { refusalHint } from "./refusal-hint.ts";

const options = { ...turnOptions, yes: { type: "boolean", short: "y" } } as const;

const nothing = {
  message: "There is no task.",
  usage: 'Usage: croft run "<task>", for example croft run "Rename load to read everywhere"',
};

/** Runs the task to its end and shows it. The exit code. Throws UsageError before anything is asked or written. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArguments("run", args, options);
  return oneTurn(running(values.yes === true, io), positionals, values, io);
}

/** `yes`: ordinary changes are made unasked. */
export function running(yes: boolean, io: Io): Kind {
  const ask = askerOf(io);
  return {
    folderFirst: false,
    nothing,
    budget: codeBudget,
    demand: writing,
    open(given) {
      const hint = ask === undefined ? refusalHint(yes, io) : undefined;
      const emit = (event: Event): void => {
        given.emit(event);
        hint?.(event);
      };
      const undo = undoIfAny(given.root, io);
      const { run: take, close } = openCode({ ...given, emit, undo, gate: codeGate({ ask, yes }) });
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
