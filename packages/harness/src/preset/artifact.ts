/** The artifact assembly: large things are looked into by handle, changes are authored in memory, one call saves. */

import { createStaging, type Staging } from "../artifact/staging.ts";
import { watchUnsaved } from "../check/unsaved.ts";
import words from "./artifact.md";
import { artifactCommandsOf, openArtifactDoors, type ArtifactDoorOptions } from "./artifact-tools.ts";
import { openWork, type Work, type WorkKind, type WorkOptions } from "./work.ts";

/** What only this work has options for. */
type ArtifactOptions = Pick<ArtifactDoorOptions, "trust" | "writeRoot" | "outputs" | "search" | "registered">;

export type ArtifactWorkOptions = Omit<WorkOptions, "strict" | "trusting"> & ArtifactOptions;

/** `staging`: what was authored, saved or not. */
export type ArtifactWork = Work & { staging: Staging };

/** What work with these tools is done with. A turn that ends with something staged and not saved says so. */
export function artifactKind(own: ArtifactOptions = {}, staging: Staging = createStaging()): WorkKind {
  const unsaved = watchUnsaved(staging);
  return {
    words,
    checks: [unsaved.check],
    openCommands: (options) => artifactCommandsOf({ ...options, ...own }),
    openDoors: (options, commands) => openArtifactDoors({ ...options, ...own, staging }, commands),
    lastWords: () => unsaved.lastWords(),
  };
}

/**
 * Opens a repository for tasks; where programs are to be run, the sandbox is tried. Throws Failure: E_NO_GATE,
 * E_BAD_RULE, E_BAD_PATH…
 */
export async function openArtifactWork(options: ArtifactWorkOptions): Promise<ArtifactWork> {
  const { trust, writeRoot, outputs, search, registered, ...shared } = options;
  const staging = createStaging();
  const kind = artifactKind({ trust, writeRoot, outputs, search, registered }, staging);
  return { ...(await openWork(kind, { ...shared, strict: trust === "strict" })), staging };
}
