/** The toolset of handles and staging. */

import { createArtifacts } from "../../artifact/artifacts.ts";
import { createStaging } from "../../artifact/staging.ts";
import { narratedTool } from "../../tool/artifact/define.ts";
import type { ArtifactToolParts } from "../../tool/artifact/parts.ts";
import type { Tool } from "../../tool/tool.ts";
import { artifactKind } from "../artifact.ts";
import { artifactToolset, openArtifactTools, type Trust } from "../artifact-tools.ts";
import { runningTools, type CodeDoorOptions } from "../code-tools.ts";
import { namesOf, recordedAssembly, type Toolset } from "../toolset.ts";
import { openWork } from "../work.ts";

export const artifact: Toolset = {
  files: () => namesOf(artifactToolset(emptyParts())),
  openWork: (options) => openWork(artifactKind({ trust: trustOf(options) }), options),
  openTools: (options) => openArtifactTools({ ...options, trust: trustOf(options) }),
  assembly(recorded) {
    const tools = [...artifactToolset(emptyParts()), ...narratedRunning()];
    return recordedAssembly({ ...artifactKind(), checks: [] }, tools, recorded);
  },
};

function trustOf({ strict }: CodeDoorOptions): Trust {
  return strict === true ? "strict" : "standard";
}

/** With nothing open or staged. */
function emptyParts(): Omit<ArtifactToolParts, "registered"> {
  const backend = { supportsFollow: false };
  return { artifacts: createArtifacts(), staging: createStaging(), backend, ask: async () => undefined };
}

function narratedRunning(): Tool[] {
  return runningTools({ enclosed: true }).map((tool) => narratedTool(tool));
}
