import { noPaint } from "../../ui/paint.ts";
import { totalsLines } from "../../ui/totals.ts";
import { fenced } from "../markdown.ts";
import type { Command } from "../talk.ts";
import { totalsOf } from "../totals-of.ts";

export const stats: Command = {
  name: "stats",
  help: "what the session was so far: time, tokens, tools, files, commands, checks",
  anytime: true,
  async run({ current, screen }, _, signal) {
    const totals = await totalsOf(current.session, signal);
    if (totals !== undefined) screen.tell(fenced(totalsLines(totals, noPaint).join("\n")));
    else screen.tell("There is nothing to sum up: nothing was said yet, or no trace is kept.");
  },
};
