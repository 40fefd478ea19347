/** Large things by handle, changes by staging. */

import { createArtifacts } from "../../artifact/artifacts.ts";
import { createStaging } from "../../artifact/staging.ts";
import { narratedTool } from "../../tool/artifact/define.ts";
import type { Desk } from "../../tool/artifact/desk.ts";
import { artifactBench } from "../artifact.ts";
import { artifactToolset as toolsOn, openArtifactTools, type Trust } from "../artifact-tools.ts";
import { runningTools } from "../code-tools.ts";
import type { DoorOptions } from "../doors.ts";
import { openWork } from "../work.ts";
import { namesOf, recordedAssembly, type Toolset } from "./toolset.ts";

export const artifactToolset: Toolset = {
  files: () => namesOf(toolsOn(emptyDesk())),
  openWork: (options) => openWork(artifactBench({ trust: trustOf(options) }), options),
  openTools: (options) => openArtifactTools({ ...options, trust: trustOf(options) }),
  assembly(recorded) {
    const running = runningTools(true).map((tool) => narratedTool(tool));
    return recordedAssembly({ ...artifactBench(), checks: [] }, [...toolsOn(emptyDesk()), ...running], recorded);
  },
};

function trustOf({ strict }: Pick<DoorOptions, "strict">): Trust {
  return strict === true ? "strict" : "standard";
}

/** With nothing open or staged. */
function emptyDesk(): Omit<Desk, "registered"> {
  const backend = { supportsFollow: false };
  return { artifacts: createArtifacts(), staging: createStaging(), backend, ask: async () => undefined };
}
