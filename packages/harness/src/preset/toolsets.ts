/** The ways to work in a project, by name. */

import { createArtifacts } from "../artifact/artifacts.ts";
import { createStaging } from "../artifact/staging.ts";
import type { Setup } from "../event.ts";
import { narratedTool } from "../tool/artifact/define.ts";
import type { Desk } from "../tool/artifact/desk.ts";
import { strReplaceBasedEditTool } from "../tool/anthropic/str_replace_based_edit_tool.ts";
import { runCommand } from "../tool/code/run_command.ts";
import { todo } from "../tool/code/todo.ts";
import type { Tool } from "../tool/tool.ts";
import { anthropicBench, anthropicTools, openAnthropicTools } from "./anthropic.ts";
import { artifactBench } from "./artifact.ts";
import { artifactToolset, openArtifactTools, type Trust } from "./artifact-tools.ts";
import { askAssembly, openAsk } from "./ask.ts";
import { codeBench, turnTools } from "./code.ts";
import { codeTools, openCodeTools, runningTools, toolsToRun, type CodeDoorOptions } from "./code-tools.ts";
import type { Doors } from "./doors.ts";
import { openReadOnly, readOnlyTools } from "./read-only.ts";
import type { Assembly } from "./turns.ts";
import { openWork, workAssembly, type Bench, type Work, type WorkOptions } from "./work.ts";

/** ask: it only looks. code: our own tools. artifact: by handle and staging. anthropic: the tools Anthropic has defined. */
export type ToolsetName = "ask" | "code" | "artifact" | "anthropic";

export type Toolset = {
  /** Tools by which a session tells that it was begun with this one. */
  readonly marks: readonly string[];
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

export const toolsets: Readonly<Record<ToolsetName, Toolset>> = {
  artifact: {
    marks: ["stage_file", "save_media"],
    files: () => namesOf(artifactToolset(emptyDesk())),
    openWork: (options) => openWork(artifactBench({ trust: trustOf(options) }), options),
    openTools: (options) => openArtifactTools({ ...options, trust: trustOf(options) }),
    assembly: (recorded) =>
      assemblyOf({ ...artifactBench(), checks: [] }, [...artifactToolset(emptyDesk()), ...narratedRunning()], recorded),
  },
  anthropic: {
    marks: [strReplaceBasedEditTool.name],
    files: () => namesOf(anthropicTools(undefined)),
    openWork: (options) => openWork(anthropicBench(), options),
    openTools: openAnthropicTools,
    assembly: (recorded) => assemblyOf(anthropicBench(), [...anthropicTools(true), todo], recorded),
  },
  code: {
    marks: namesOf(codeTools),
    files: () => namesOf(codeTools),
    openWork: (options) => openWork(codeBench(), options),
    openTools: openCodeTools,
    assembly: (recorded) => assemblyOf(codeBench(), [...toolsToRun(true), ...turnTools], recorded),
  },
  ask: {
    marks: [],
    files: () => namesOf(readOnlyTools),
    async openWork(options) {
      const { ask, ...rest } = openAsk(options);
      return { run: ask, enclosed: undefined, verify: undefined, ...rest };
    },
    openTools: async (options) => openReadOnly(options),
    assembly: askAssembly,
  },
};

/** All names, the usual one first. */
export const toolsetNames: readonly ToolsetName[] = ["code", "ask", "artifact", "anthropic"];

/** What a turn was made with, told by its tools. */
export function presetOf({ setup }: { setup?: Setup | undefined }): ToolsetName {
  const tools = new Set(setup?.tools.map(({ name }) => name));
  const names: readonly ToolsetName[] = ["artifact", "anthropic", "code"];
  return names.find((name) => toolsets[name].marks.every((mark) => tools.has(mark))) ?? "ask";
}

function assemblyOf(bench: Bench, tools: readonly Tool[], recorded: ReadonlySet<string>): Assembly {
  const kept = tools.filter(({ name }) => recorded.has(name));
  return { ...workAssembly(bench, recorded.has(runCommand.name)), tools: kept };
}

function trustOf({ strict }: CodeDoorOptions): Trust {
  return strict === true ? "strict" : "standard";
}

function namesOf(tools: readonly Tool[]): readonly string[] {
  return tools.map(({ name }) => name);
}

/** With nothing open or staged. */
function emptyDesk(): Omit<Desk, "registered"> {
  const backend = { supportsFollow: false };
  return { artifacts: createArtifacts(), staging: createStaging(), backend, ask: async () => undefined };
}

function narratedRunning(): Tool[] {
  return runningTools(true).map((tool) => narratedTool(tool));
}
