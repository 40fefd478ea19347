/** The code assembly: a task in a repository, done with tools that change files and run programs, each behind the gate. */

import { explore } from "../tool/code/explore.ts";
import { todo } from "../tool/code/todo.ts";
import { withStoredSchema } from "../tool/code/stored-schema.ts";
import type { Tool } from "../tool/tool.ts";
import { askKind } from "./ask.ts";
import words from "./code.md";
import { commandsOf, openDoorsWith, toolsToRun } from "./code-tools.ts";
import { openWork, type Work, type WorkKind, type WorkOptions } from "./work.ts";

export type CodeOptions = WorkOptions;
export type Coding = Work;

/** The tools that mean something only in a turn with a model. */
export const turnTools: readonly Tool[] = [explore, todo].map(withStoredSchema);

/** What coding is done with. */
export function codeKind(): WorkKind {
  return {
    words,
    checks: [],
    exploring: askKind(),
    openCommands: commandsOf,
    openDoors: (options, commands) => openDoorsWith([...toolsToRun(commands), ...turnTools], options, commands),
  };
}

/** Opens a repository for tasks; where programs are to be run, the sandbox is tried. Throws Failure, E_BAD_RULE too. */
export function openCode(options: CodeOptions): Promise<Coding> {
  return openWork(codeKind(), options);
}
