import type { CommandLine } from "@croft/harness";

/** A command on one line, to know it by: its words are not told apart. Not yet escaped. */
export function commandText(command: CommandLine): string {
  return typeof command === "string" ? command : command.join(" ");
}
