import { meaning } from "../mode.ts";
import type { Command } from "../talk.ts";

/** Accepting a plan is leaving the mode: the person's to do, never the model's. */
export const plan: Command = {
  name: "plan",
  takes: "[task]",
  help: "plan first: nothing is changed until you accept; again to accept",
  anytime: true,
  run(talk, rest) {
    if (rest === "" && talk.mode === "plan") {
      talk.setMode("ask");
      talk.later("I accept the plan. Carry it out.");
      return;
    }
    talk.setMode("plan");
    talk.screen.tell(`Plan mode: ${meaning.plan}, with /plan; /mode ask leaves it as well.`);
    if (rest !== "") talk.later(rest);
  },
};
