import { costLines } from "../../ui/cost.ts";
import { fenced } from "../markdown.ts";
import type { Command } from "../talk.ts";

export const cost: Command = {
  name: "cost",
  help: "what the session has cost",
  anytime: true,
  run({ screen, current }) {
    const [whole = "", ...models] = costLines(current.session.spent, current.session.used);
    screen.tell(models.length === 0 ? whole : `${whole}\n${fenced(models.join("\n"))}`);
  },
};
