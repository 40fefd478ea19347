/** The toolset of the tools that Anthropic has defined. */

import { todo } from "../../tool/code/todo.ts";
import { anthropicBench, anthropicTools, openAnthropicTools } from "../anthropic.ts";
import { namesOf, recordedAssembly, type Toolset } from "../toolset.ts";
import { openWork } from "../work.ts";

export const anthropic: Toolset = {
  files: () => namesOf(anthropicTools(undefined)),
  openWork: (options) => openWork(anthropicBench(), options),
  openTools: openAnthropicTools,
  assembly: (recorded) => recordedAssembly(anthropicBench(), [...anthropicTools(true), todo], recorded),
};
