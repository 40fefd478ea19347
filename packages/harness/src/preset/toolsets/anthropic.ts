/** The toolset of the tools that Anthropic has defined. */

import { todo } from "../../tool/code/todo.ts";
import { anthropicKind, anthropicTools, openAnthropicTools } from "../anthropic.ts";
import { namesOf, recordedAssembly, type Toolset } from "../toolset.ts";
import { openWork } from "../work.ts";

export const anthropic: Toolset = {
  files: () => namesOf(anthropicTools(undefined)),
  openWork: (options) => openWork(anthropicKind(), options),
  openTools: openAnthropicTools,
  assembly: (recorded) => recordedAssembly(anthropicKind(), [...anthropicTools({ enclosed: true }), todo], recorded),
};
