/** A runner that gives no command a secret: what the model writes there lands in process lists, logs and history. */

import { Failure } from "../error.ts";
import type { Command, Runner } from "../process/runner.ts";
import type { LoadRedactor } from "./lazy.ts";
import type { Redactor } from "./redactor.ts";

/** The runner, which throws E_SECRET_IN_COMMAND for a command that holds a placeholder. */
export function hidingRunner(runner: Runner, load: LoadRedactor): Runner {
  return {
    enclosed: runner.enclosed,
    async run(command, onOutput, signal) {
      refusePlaceholder(command, await load());
      return runner.run(command, onOutput, signal);
    },
    async start(command, signal) {
      refusePlaceholder(command, await load());
      return runner.start(command, signal);
    },
    running: () => runner.running(),
    close: () => runner.close(),
  };
}

function refusePlaceholder({ command }: Command, redactor: Redactor): void {
  const words = typeof command === "string" ? [command] : command;
  for (const word of words) {
    const placeholder = redactor.placeholderIn(word);
    if (placeholder === undefined) continue;
    throw new Failure("E_SECRET_IN_COMMAND", `${placeholder} stands for a secret, which no command is given.`, {
      remedy: "Let the program read it from where it is, or from the environment.",
    });
  }
}
