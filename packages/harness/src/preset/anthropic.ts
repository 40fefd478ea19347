/** Work with the tools that Anthropic has defined, which its models were made to use, over the same doors and rules. */

import { createBash } from "../tool/anthropic/bash.ts";
import { strReplaceBasedEditTool } from "../tool/anthropic/str_replace_based_edit_tool.ts";
import { readOutput } from "../tool/code/read_output.ts";
import { readProcess } from "../tool/code/read_process.ts";
import { runCommand } from "../tool/code/run_command.ts";
import { search } from "../tool/code/search.ts";
import { startProcess } from "../tool/code/start_process.ts";
import { stopProcess } from "../tool/code/stop_process.ts";
import { todo } from "../tool/code/todo.ts";
import type { Tool } from "../tool/tool.ts";
import toolWords from "./anthropic.md";
import codeWords from "./code.md";
import { commandsOf, openDoorsWith, type CodeDoorOptions } from "./code-tools.ts";
import type { Commands } from "./commands.ts";
import type { Doors } from "./doors.ts";
import type { WorkKind } from "./work.ts";

/**
 * The tools, with a shell of their own where a sandbox holds it; without `commands` no programs are run. What the
 * two that Anthropic has defined cannot ask for, others can: hosts, more time, to leave the sandbox.
 */
export function anthropicTools(commands: Pick<Commands, "enclosed"> | undefined): readonly Tool[] {
  const running = [runCommand, startProcess, readProcess, stopProcess, readOutput];
  return [
    strReplaceBasedEditTool,
    ...(commands?.enclosed === true ? [createBash()] : []),
    search,
    ...(commands === undefined ? [] : running),
  ];
}

/** What work with them is done with. */
export function anthropicKind(): WorkKind {
  return {
    words: codeWords + toolWords,
    checks: [],
    openCommands: commandsOf,
    openDoors: (options, commands) => openDoorsWith([...anthropicTools(commands), todo], options, commands),
  };
}

/** Opens the doors and the tools. Whoever opens them closes them. Throws Failure, E_BAD_RULE too. */
export async function openAnthropicTools(options: CodeDoorOptions): Promise<Doors> {
  const commands = await commandsOf(options);
  for (const notice of commands?.notices ?? []) options.emit?.(notice);
  return openDoorsWith(anthropicTools(commands), options, commands);
}
