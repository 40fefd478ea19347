/** The toolset of croft's own tools. */

import { codeKind, turnTools } from "../code.ts";
import { codeTools, openCodeTools, toolsToRun } from "../code-tools.ts";
import { namesOf, recordedAssembly, type Toolset } from "../toolset.ts";
import { openWork } from "../work.ts";

export const code: Toolset = {
  files: () => namesOf(codeTools),
  openWork: (options) => openWork(codeKind(), options),
  openTools: openCodeTools,
  assembly: (recorded) => recordedAssembly(codeKind(), [...toolsToRun({ enclosed: true }), ...turnTools], recorded),
};
