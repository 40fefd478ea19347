import { Failure } from "@croft/harness";
import type { Command } from "../talk.ts";

export const later: Command = {
  name: "later",
  takes: "<message>",
  help: "say it behind the running turn, as a turn of its own",
  anytime: true,
  run(talk, rest) {
    if (rest === "") throw new Failure("E_ARGUMENTS", "There is no message.", { remedy: "Usage: /later <message>" });
    talk.later(rest);
  },
};
