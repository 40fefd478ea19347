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
    const own = (await talk.own(signal)).own.map(commandFrom);
    const isTaken = ({ name }: Command): boolean =>
      talk.commands.some((each) => each.name === name || each.also === name);
    const commands = [...talk.commands, ...own.filter((each) => !isTaken(each))];
    const name = rest.replace(/^\//, "");
    const listed = name === "" ? commands : commands.filter((each) => each.name === name || each.also === name);
    if (listed.length === 0)
      throw new Failure("E_NO_COMMAND", `There is no command /${name}.`, { remedy: "See /help." });
    const lines = listed.map((command) => `- \`${usageOf(command)}\`: ${command.help}`);
    screen.tell([...lines, ...(name === "" ? ["", words.trimEnd(), screen.keys] : [])].join("\n"));
  },
  arguments: ({ commands }) => commands.map(({ name, help }) => ({ value: name, note: help })),
};

function usageOf({ name, takes, also }: Command): string {
  return [`/${name}`, ...(takes === undefined ? [] : [takes]), ...(also === undefined ? [] : [`(/${also})`])].join(" ");
}
