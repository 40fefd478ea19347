import words from "../../words/chat-help.md";
import { commandFrom } from "../own/own-commands.ts";
import { Failure } from "@croft/harness";
import type { Command } from "../talk.ts";

export const help: Command = {
  name: "help",
  takes: "[command]",
  help: "this list, or one command",
  anytime: true,
  async run(talk, rest, signal) {
    const { screen } = talk;
    const wanted = rest.replace(/^\//, "");
    const isWanted = ({ name, also }: Command): boolean => wanted === "" || name === wanted || also === wanted;
    const isTaken = ({ name }: Command): boolean =>
      talk.commands.some((each) => each.name === name || each.also === name);
    const files = (await talk.own(signal)).own.map(commandFrom);
    const croft = talk.commands.filter(isWanted);
    const own = files.filter((each) => isWanted(each) && !isTaken(each));
    if (croft.length + own.length === 0)
      throw new Failure("E_NO_COMMAND", `There is no command /${wanted}.`, { remedy: "See /help." });
    if (croft.length > 0) screen.tell(croft.map((each) => `- \`${usageOf(each)}\`: ${each.help}`).join("\n"));
    // What a project's files say of themselves is not croft's own voice.
    if (own.length > 0) screen.print(own.map((each) => `- ${usageOf(each)}: ${each.help}`));
    if (wanted === "") screen.tell([words.trimEnd(), screen.keys].join("\n"));
  },
  arguments: ({ commands }) => commands.map(({ name, help }) => ({ value: name, note: help })),
};

function usageOf({ name, takes, also }: Command): string {
  return [`/${name}`, ...(takes === undefined ? [] : [takes]), ...(also === undefined ? [] : [`(/${also})`])].join(" ");
}
