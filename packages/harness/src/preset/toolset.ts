/** The port of a way to work in a project: tools, the doors they stand behind, and what a model is told of them. */

import { runCommand } from "../tool/code/run_command.ts";
import type { Tool } from "../tool/tool.ts";
import type { CodeDoorOptions } from "./code-tools.ts";
import type { Doors } from "./doors.ts";
import type { Assembly } from "./turns.ts";
import { workAssembly, type Work, type WorkKind, type WorkOptions } from "./work.ts";

/** A way to work in a project: its tools, and how to open them. */
export type Toolset = {
  /** Names of its tools that run no program. */
  files(): readonly string[];
  /** Opens a project for tasks. Throws Failure, E_BAD_RULE too. */
  openWork(options: WorkOptions): Promise<Work>;
  /** Opens doors and tools, for calls one by one. Throws the same. */
  openTools(options: CodeDoorOptions): Promise<Doors>;
  /**
   * What a turn with those of its tools that are `recorded` was made of, apart from a project and a model, and from what
   * its tools hold.
   */
  assembly(recorded: ReadonlySet<string>): Assembly;
};

/** That of a kind with those of the tools that are recorded. */
export function recordedAssembly(kind: WorkKind, tools: readonly Tool[], recorded: ReadonlySet<string>): Assembly {
  const kept = tools.filter(({ name }) => recorded.has(name));
  return { ...workAssembly(kind, { runs: recorded.has(runCommand.name) }), tools: kept };
}

/** In their order. */
export function namesOf(tools: readonly Tool[]): readonly string[] {
  return tools.map(({ name }) => name);
}
