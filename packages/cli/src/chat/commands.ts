/** The commands of the chat, in the order in which they are listed. */

import { Failure } from "@croft/harness";
import { budget } from "./commands/budget.ts";
import { clear } from "./commands/clear.ts";
import { compact } from "./commands/compact.ts";
import { context } from "./commands/context.ts";
import { cost } from "./commands/cost.ts";
import { diff } from "./commands/diff.ts";
import { exit } from "./commands/exit.ts";
import { exportSession } from "./commands/export.ts";
import { fork } from "./commands/fork.ts";
import { help } from "./commands/help.ts";
import { later } from "./commands/later.ts";
import { model } from "./commands/model.ts";
import { mode } from "./commands/mode.ts";
import { permissions } from "./commands/permissions.ts";
import { plan } from "./commands/plan.ts";
import { redo } from "./commands/redo.ts";
import { resume } from "./commands/resume.ts";
import { stats } from "./commands/stats.ts";
import { undo } from "./commands/undo.ts";
import { verify } from "./commands/verify.ts";
import { nearest } from "../nearest.ts";
import type { Unusable } from "./own/own.ts";
import type { Command } from "./talk.ts";

export const commands: readonly Command[] = [
  help,
  model,
  mode,
  plan,
  undo,
  redo,
  diff,
  verify,
  cost,
  budget,
  stats,
  context,
  compact,
  resume,
  fork,
  exportSession,
  permissions,
  later,
  clear,
  exit,
];

export function commandNamed(name: string): Command | undefined {
  return commands.find((command) => command.name === name || command.also === name);
}

/** Names the one that is meant, perhaps, or the file that would be it. */
export function unknownCommand(name: string, others: readonly string[], unusable: readonly Unusable[]): Failure {
  const spoilt = unusable.find(({ path }) => path.endsWith(`/${name}.md`) || path.endsWith(`/${name}/SKILL.md`));
  if (spoilt !== undefined) {
    return new Failure("E_UNUSABLE", `${spoilt.path} cannot be used: ${spoilt.reason}`, {
      remedy: "Correct the file.",
    });
  }
  const near = nearest(name, [...commands.map((command) => command.name), ...others]);
  const meant = near === undefined ? "/help lists them." : `Did you mean /${near}? /help lists them.`;
  return new Failure("E_NO_COMMAND", `There is no command /${name}.`, {
    remedy: `${meant} To say it to the model, put a blank in front.`,
  });
}
