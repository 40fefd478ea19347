import { Failure } from "@croft/harness";
import { code } from "../markdown.ts";
import { printer } from "../printer.ts";
import type { Command } from "../talk.ts";

export const verify: Command = {
  name: "verify",
  help: "run the project's own check now",
  async run(talk, _, signal) {
    const { current, screen } = talk;
    if (current.verify === undefined) {
      throw new Failure("E_NO_CHECK", "Nothing is verified in this session.", {
        remedy: "Begin one without --no-verify, with a model that changes files.",
      });
    }
    const printing = printer(screen);
    const verified = await current.verify((text) => printing.add(text), signal);
    printing.end();
    if (verified === undefined) {
      screen.tell("Nothing says how to check this project; `croft --verify <command>` names a command.");
      return;
    }
    const { command, from, ended } = verified;
    const how = ended.code === 0 ? "passed" : ended.timedOut ? "took too long" : `failed (exit code ${ended.code})`;
    screen.tell(`${code(command)} ${how}, ${from}.`);
    talk.tellModel({
      name: "the project's check, which the user has run",
      text: `$ ${command}\n${ended.output.text}\n(${how})\n`,
    });
  },
};
