import { money } from "../../ui/numbers.ts";
import { plural } from "../../ui/plural.ts";
import { spentLines } from "../../ui/totals.ts";
import { fenced } from "../markdown.ts";
import type { Command } from "../talk.ts";
import { totalsOf } from "../totals-of.ts";

export const cost: Command = {
  name: "cost",
  help: "what the session has cost",
  anytime: true,
  async run({ screen, current }, _, signal) {
    const { turns, dollars } = current.session.spent;
    const totals = await totalsOf(current.session, signal);
    const lines = totals === undefined ? [] : [fenced([...spentLines(totals), ...totals.models].join("\n"))];
    screen.tell([`${plural(turns, "turn")}, ${money(dollars)}`, ...lines].join("\n"));
  },
};
