import { Failure, type Approval } from "@croft/harness";
import { forgetApproval, nameOf, savedApprovals } from "../../config/approvals.ts";
import { commandText } from "../../ui/command-text.ts";
import { code } from "../markdown.ts";
import { meaning } from "../mode.ts";
import type { Command } from "../talk.ts";

export const permissions: Command = {
  name: "permissions",
  takes: "[forget <name>]",
  help: "what is not asked about, and how to be asked again",
  anytime: true,
  run({ io, root, screen, mode, current }, rest) {
    const { stateHome } = io.environment;
    const [verb = "", name = ""] = rest.split(/\s+/);
    if (verb === "forget" && name !== "") {
      if (!forgetApproval(stateHome, root, name)) throw unknown(name);
      screen.tell("Forgotten: you are asked about it again.");
      return;
    }
    if (verb !== "")
      throw new Failure("E_ARGUMENTS", `${verb} is no word for it.`, { remedy: "See /help permissions." });
    const saved = savedApprovals(stateHome, root);
    const lines = saved.map(
      (approval) => `- ${nameOf(approval)} ${code(commandText(approval.command))}${whereOf(approval)}`,
    );
    const none = "No command is approved for good: a, at a question about one, approves just that one.";
    const may = current.preset === "ask" ? "This session only reads." : `Mode ${mode}: ${meaning[mode]}.`;
    screen.tell([may, ...(lines.length === 0 ? [none] : ["Approved for good:", ...lines])].join("\n"));
  },
  arguments: ({ io, root }) =>
    savedApprovals(io.environment.stateHome, root).map((approval) => ({
      value: `forget ${nameOf(approval)}`,
      note: commandText(approval.command),
    })),
};

function whereOf({ cwd, enclosed }: Approval): string {
  return `${cwd === "." ? "" : ` in ${cwd}`}${enclosed ? "" : ", without a sandbox"}`;
}

function unknown(name: string): Failure {
  return new Failure("E_NO_APPROVAL", `Nothing approved is called ${name}.`, { remedy: "See /permissions." });
}
