/** Our own tools. */

import { codeBench, openCode, turnTools } from "../code.ts";
import { codeTools, openCodeTools, toolsToRun } from "../code-tools.ts";
import { namesOf, recordedAssembly, type Toolset } from "./toolset.ts";

export const codeToolset: Toolset = {
  files: () => namesOf(codeTools),
  openWork: openCode,
  openTools: openCodeTools,
  assembly: (recorded) => recordedAssembly(codeBench(), [...toolsToRun(true), ...turnTools], recorded),
};
