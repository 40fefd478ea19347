/** The tools that change files and run programs, beside those that only look, under the policy of working on a project. */

import { applyPatch } from "../tool/code/apply_patch.ts";
import { editFile } from "../tool/code/edit_file.ts";
import { readOutput } from "../tool/code/read_output.ts";
import { readProcess } from "../tool/code/read_process.ts";
import { runCommand } from "../tool/code/run_command.ts";
import { runShell } from "../tool/code/run_shell.ts";
import { startProcess } from "../tool/code/start_process.ts";
import { stopProcess } from "../tool/code/stop_process.ts";
import { writeFile } from "../tool/code/write_file.ts";
import { withStoredSchema } from "../tool/code/stored-schema.ts";
import type { Tool } from "../tool/tool.ts";
import type { BeforeImages } from "../workspace/change.ts";
import { openFence } from "../workspace/fence/on-disk.ts";
import { createLedger } from "../workspace/ledger.ts";
import type { CommandOptions, Commands } from "./commands.ts";
import { openDoors, type DoorOptions, type Doors } from "./doors.ts";
import { projectPolicy } from "./project-policy.ts";
import { readOnlyTools } from "./read-only.ts";
import type { TurnKeeper } from "./undoing.ts";

export type CodeDoorOptions = DoorOptions & {
  /** Keeps what is about to be replaced. Without it, what is replaced is gone. */
  before?: BeforeImages | undefined;
  /** Keeps what commands change, likewise. */
  keeper?: TurnKeeper | undefined;
  /** Hears that a command changed something, or may have. */
  onChange?: (() => void) | undefined;
  /** Absent: programs are not run. */
  commands?: CommandOptions | undefined;
  /**
   * Whether files count as read from the start, for a person who calls tools one by one and has looked elsewhere.
   * Default: only what was read in the session.
   */
  trusting?: boolean | undefined;
};

/** The tools of working on the files of a project. */
export const codeTools: readonly Tool[] = [
  ...readOnlyTools,
  ...[editFile, writeFile, applyPatch].map(withStoredSchema),
];

/** The tools that run programs; of a shell only what a sandbox holds. */
export function runningTools({ enclosed }: Pick<Commands, "enclosed">): readonly Tool[] {
  return [runCommand, ...(enclosed ? [runShell] : []), startProcess, readProcess, stopProcess].map(withStoredSchema);
}

/** All tools of working on a project and running its programs, where any are run. */
export function toolsToRun(commands: Pick<Commands, "enclosed"> | undefined): readonly Tool[] {
  return commands === undefined ? codeTools : [...codeTools, ...runningTools(commands), withStoredSchema(readOutput)];
}

/** Opens the doors and the tools. Whoever opens them closes them. Throws Failure, E_BAD_RULE too. */
export async function openCodeTools(options: CodeDoorOptions): Promise<Doors> {
  const commands = await commandsOf(options);
  for (const notice of commands?.notices ?? []) options.emit?.(notice);
  return openDoorsWith(toolsToRun(commands), options, commands);
}

/** Tries the sandbox, where programs are to be run. Throws as `openCodeTools`. */
export async function commandsOf({
  root,
  rules,
  keeper,
  onChange,
  commands,
}: CodeDoorOptions): Promise<Commands | undefined> {
  if (commands === undefined) return undefined;
  const policy = projectPolicy(rules, root);
  const fence = openFence(root, policy);
  fence.close();
  const { openCommands } = await import("./commands.ts"); // who only looks at files need not wait for it
  return await openCommands(commands, { root: fence.root, policy, keeper, onChange });
}

/** The doors with these tools. `commands`: as `commandsOf` gives them, for this one use. */
export function openDoorsWith(
  tools: readonly Tool[],
  options: Omit<CodeDoorOptions, "commands" | "keeper">,
  commands: Commands | undefined,
): Doors {
  const { root, rules, before, trusting = false } = options;
  const ledger = createLedger();
  return openDoors(options, {
    policy: projectPolicy(rules, root),
    tools,
    ledger: trusting ? { ...ledger, seen: () => "current" } : ledger,
    before: commands === undefined ? before : commands.expecting(before),
    openRunner: commands?.open,
    outputs: commands?.outputs,
  });
}
