import { plural } from "../../ui/plural.ts";
import type { Command } from "../talk.ts";

export const cost: Command = {
  name: "cost",
  help: "what the session has cost",
  anytime: true,
  run({ screen, current }) {
    const { turns, dollars } = current.session.spent;
    const cost = dollars === undefined ? "unknown: a model has no price" : `$${dollars.toFixed(4)}`;
    screen.tell(`${plural(turns, "turn")}, ${cost}`);
  },
};
