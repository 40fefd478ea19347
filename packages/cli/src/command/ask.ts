/** `croft ask`: one read-only question about a project, answered with evidence. */

import { askBudget, openAsk, policyGate } from "@croft/harness";
import { parseArguments } from "../arguments.ts";
import type { Io } from "../io.ts";
import { oneTurn, turnOptions, type TurnCommand } from "./turn.ts";

/** What is asked of a project that is only read. */
export const asking: TurnCommand = {
  folderFirst: true,
  nothing: {
    message: "There is no question.",
    usage: 'Usage: croft ask [dir] "<question>", for example croft ask "Where is main defined?"',
  },
  budget: askBudget,
  open(options) {
    const { ask, close } = openAsk({ ...options, gate: policyGate() }); // nobody is asked: what is left open is refused
    return { take: ask, close };
  },
};

/** Runs the question to its end and shows it. The exit code. Throws UsageError before anything is asked or written. */
export async function ask(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArguments("ask", args, turnOptions);
  return oneTurn(asking, positionals, values, io);
}
