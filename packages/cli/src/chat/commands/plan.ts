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
      talk.screen.tell("The plan is accepted: from now on each change is a question. Say how to go on.");
      return;
    }
    talk.setMode("plan");
    talk.screen.tell(`Plan mode: ${meaning.plan}, with /plan or /mode ask.`);
    if (rest !== "") talk.later(rest);
  },
};
