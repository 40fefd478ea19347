import { Failure } from "@croft/harness";
import { grouped, money } from "../../ui/numbers.ts";
import type { Command } from "../talk.ts";

export const compact: Command = {
  name: "compact",
  help: "let the model's notes take the place of what was said first",
  async run({ current, screen }, _, signal) {
    const made = await current.compact(signal);
    const cost = made.dollars === 0 ? "" : ` (${money(made.dollars)})`;
    if (made.kind === "failed") {
      const { code, message, remedy } = made.failure;
      throw new Failure(code, message, { remedy });
    }
    if (made.kind === "made room") {
      const { before, after } = made.tokens;
      screen.tell(`About ${grouped(before)} tokens became ${grouped(after)}${cost}.`);
    } else if (made.kind === "nothing") screen.tell(`There is too little to make room of${cost}.`);
    else screen.tell(`Cancelled: all is as it was${cost}.`);
  },
};
