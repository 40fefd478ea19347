/** What the artifact tools of a session share: what is open, what is staged, and which tools there are to speak of. */

import type { Artifact, Artifacts } from "../../artifact/artifacts.ts";
import { isOutput } from "../../artifact/outputs.ts";
import type { Staging } from "../../artifact/staging.ts";
import type { SearchBackend } from "../../workspace/search.ts";
import type { Shown } from "../../workspace/ledger.ts";
import type { Since } from "../../workspace/held.ts";
import type { ToolContext } from "../tool.ts";

export type ArtifactToolParts = {
  readonly artifacts: Artifacts;
  readonly staging: Staging;
  readonly backend: Pick<SearchBackend, "supportsFollow">;
  /** Names of tools that descriptions may speak of. */
  readonly registered: readonly string[];
  /** Asks the gate about what knocks at no door, for a gate that wants to be asked about every call. Throws E_REFUSED. */
  readonly ask: (what: string, signal: AbortSignal) => Promise<void>;
};

/** An artifact in use, and what is to be told of its file besides. */
export type InUse = { readonly artifact: Artifact; readonly notes: readonly string[] };

/** Works with what an id stands for. Throws as `Artifacts.use`, and E_READER_NOT_DESCRIBABLE for a copy that is not saved. */
export async function using<Result>(
  { artifacts, staging, ask }: ArtifactToolParts,
  id: string,
  { outputs, signal }: ToolContext,
  work: (inUse: InUse) => Promise<Result>,
): Promise<Result> {
  if (staging.has(id)) staging.get(id).toJSON();
  if (isOutput(id)) await ask(id, signal);
  return await artifacts.use(id, (artifact, since) => work({ artifact, notes: notesOn[since] }), { outputs, signal });
}

const notesOn: Readonly<Record<Since, readonly string[]>> = {
  same: [],
  grown: ["the file has grown since it was opened: open it again to see what was added"],
  deleted: ["the file was deleted or replaced since it was opened: this is what it was"],
};

/** What lines of an artifact are evidence for: none, where it is no file of the project, or they have no number. */
export function shownOf({ path, file }: Artifact, lines: readonly { line: number }[]): Shown[] {
  const shown: Shown[] = [];
  if (path === undefined) return shown;
  for (const { line } of lines) {
    const last = shown.at(-1);
    if (line < 1) continue;
    if (last !== undefined && last.to === line - 1) last.to = line;
    else shown.push({ path, hash: file.hash, from: line, to: line, via: "search" });
  }
  return shown;
}

/** A description that speaks of those tools only which there are: `{artifact_head, artifact_cat}` names any of these. */
export function wordsFor(description: string, registered: readonly string[]): string {
  return description.replaceAll(/\{([a-z_, ]+)\}/g, (_, names: string) => {
    const known = names.split(", ").filter((name) => registered.includes(name));
    return known.length === 0 ? "other tools" : known.join(", ");
  });
}
