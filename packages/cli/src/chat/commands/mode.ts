import { Failure } from "@croft/harness";
import { meaning } from "../mode.ts";
import type { Mode } from "../screen.ts";
import type { Command } from "../talk.ts";

const modes: readonly Mode[] = ["plan", "ask", "yes"];

export const mode: Command = {
  name: "mode",
  takes: "[plan|ask|yes]",
  help: "what happens unasked, or change it",
  anytime: true,
  run(talk, rest) {
    if (rest !== "") choose(rest);
    talk.screen.print(modes.map((each) => `${each === talk.mode ? ">" : " "} ${each}: ${meaning[each]}`));

    function choose(name: string): void {
      const wanted = modes.find((each) => each === name);
      if (wanted === undefined) throw new Failure("E_ARGUMENTS", `There is no mode ${name}.`, { remedy: "See /mode." });
      talk.setMode(wanted);
    }
  },
  arguments: () => modes.map((value) => ({ value, note: meaning[value] })),
};
