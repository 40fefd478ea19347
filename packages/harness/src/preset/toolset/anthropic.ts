/** The tools that Anthropic has defined. */

import { todo } from "../../tool/code/todo.ts";
import { anthropicBench, anthropicTools, openAnthropicTools } from "../anthropic.ts";
import { openWork } from "../work.ts";
import { namesOf, recordedAssembly, type Toolset } from "./toolset.ts";

export const anthropicToolset: Toolset = {
  files: () => namesOf(anthropicTools(undefined)),
  openWork: (options) => openWork(anthropicBench(), options),
  openTools: openAnthropicTools,
  assembly: (recorded) => recordedAssembly(anthropicBench(), [...anthropicTools(true), todo], recorded),
};
