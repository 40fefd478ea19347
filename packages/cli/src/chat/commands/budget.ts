import { dollars } from "../../arguments.ts";
import { UsageError } from "../../usage.ts";
import type { Command } from "../talk.ts";

export const budget: Command = {
  name: "budget",
  takes: "<dollars>",
  help: "what the rest of this conversation may cost, from now on",
  run(talk, rest) {
    const most = dollars("/budget", rest === "" ? undefined : rest.replace(/^\$/, ""));
    if (most === undefined) throw new UsageError("E_ARGUMENTS", "How much may it be?", "Say it in dollars: /budget 20");
    talk.useCeiling(most);
    talk.screen.tell(`From now on this conversation may cost $${most}.`);
  },
};
