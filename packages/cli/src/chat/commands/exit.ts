import type { Command } from "../talk.ts";

export const exit: Command = {
  name: "exit",
  also: "quit",
  help: "leave; what runs is cancelled",
  anytime: true,
  run: (talk) => talk.leave(),
};
