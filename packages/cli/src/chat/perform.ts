/** What was entered is done: said to the model, handed to a command, or run in the person's own shell. */

import { asFailure } from "@croft/harness";
import { commandNamed, unknownCommand } from "./commands.ts";
import { readEntered } from "./entered.ts";
import { commandFrom } from "./own/own-commands.ts";
import { ownShell } from "./own-shell.ts";
import type { Command, Talk } from "./talk.ts";

export interface Performer {
  /** Never rejects: what goes wrong is told, and the chat goes on. */
  attempt(text: string, signal: AbortSignal): Promise<void>;
  /** Whether it is done at once, whatever else is going on. */
  isAnytime(text: string): boolean;
  close(): Promise<void>;
}

export function performerFor(talk: Talk): Performer {
  const shell = ownShell();

  /** One of the files that are commands and skills: no built-in name is theirs. */
  async function ownNamed(name: string, signal: AbortSignal): Promise<Command> {
    const { own, unusable } = await talk.own(signal);
    const found = own.find((each) => each.name === name);
    if (found !== undefined) return commandFrom(found);
    const names = own.map((each) => each.name);
    throw unknownCommand(name, names, unusable);
  }

  /** Throws Failure: E_NO_COMMAND, E_UNUSABLE, and what commands throw. */
  async function perform(text: string, signal: AbortSignal): Promise<void> {
    const entered = readEntered(text);
    if (entered.kind === "shell" || entered.kind === "command") talk.screen.entered(text.trim());
    switch (entered.kind) {
      case "nothing":
        return undefined;
      case "message":
        return talk.say(entered.text, signal);
      case "shell":
        return shell.run(talk, entered.command, signal);
      case "command": {
        const command = commandNamed(entered.name) ?? (await ownNamed(entered.name, signal));
        return command.run(talk, entered.rest, signal);
      }
    }
    return entered satisfies never;
  }

  return {
    async attempt(text, signal) {
      try {
        await perform(text, signal);
      } catch (thrown) {
        if (!signal.aborted) talk.screen.print([`croft: ${asFailure(thrown).narration}`]);
      }
    },
    isAnytime(text) {
      const entered = readEntered(text);
      return entered.kind === "command" && commandNamed(entered.name)?.anytime === true;
    },
    close: () => shell.close(),
  };
}
