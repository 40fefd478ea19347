/** The artifact assembly: large things are looked into by handle, changes are authored in memory, one call saves. */

import { watchUnsaved, type Unsaved } from "../check/unsaved.ts";
import { citations } from "../check/citations.ts";
import type { Check } from "../check/check.ts";
import type { Event } from "../event.ts";
import { runCommand } from "../tool/code/run_command.ts";
import type { Tool } from "../tool/tool.ts";
import type { Undo } from "../workspace/snapshot.ts";
import words from "./artifact.md";
import {
  artifactCommandsOf,
  openArtifactDoors,
  type ArtifactDoorOptions,
  type ArtifactDoors,
} from "./artifact-tools.ts";
import { codeBudget, toldOnly } from "./code.ts";
import commandWords from "./commands.md";
import { openTurns, type Assembly, type TurnKind, type TurnOptions, type Turns } from "./turns.ts";
import { undoingWith } from "./undoing.ts";

const maxTokens = 64_000;

export type ArtifactWorkOptions = Omit<TurnOptions, "strict"> &
  Omit<ArtifactDoorOptions, "before" | "keeper"> & {
    /** Keeps what each turn changes. Without it, what is replaced is gone. */
    undo?: Undo | undefined;
  };

export type ArtifactWork = {
  /** One turn. Throws only for a fault in croft itself; every outcome is a status. */
  run: Turns["take"];
  /** What was authored, saved or not. */
  staging: ArtifactDoors["staging"];
  /** Whether a sandbox holds the commands; undefined where none are run. */
  enclosed: boolean | undefined;
  useModel: Turns["useModel"];
  compact: Turns["compact"];
  context: Turns["context"];
  close: Turns["close"];
};

/** What work with these tools is made of, apart from a project and a model. */
export function artifactAssembly(tools: readonly Tool[], checks: readonly Check[] = []): Assembly {
  const running = tools.some(({ name }) => name === runCommand.name) ? `\n${commandWords}` : "";
  return { system: [{ type: "text", text: words + running }], tools, checks: [...checks, toldOnly(citations())] };
}

/**
 * Opens a repository for tasks; where programs are to be run, the sandbox is tried. A turn that ends with something
 * staged and not saved says so. Throws Failure: E_NO_GATE, E_BAD_RULE, E_BAD_PATH…
 */
export async function openArtifactWork(options: ArtifactWorkOptions): Promise<ArtifactWork> {
  const { undo, session, emit, trust } = options;
  const undoing = undo === undefined ? undefined : undoingWith(undo, session.id);
  const given: ArtifactDoorOptions = { ...options, before: undoing?.before, keeper: undoing?.keeper };
  const commands = await artifactCommandsOf(given);
  const doors = openArtifactDoors({ ...given, emit: record }, commands);
  const unsaved = watchUnsaved(doors.staging);
  const kind: TurnKind = {
    assembly: artifactAssembly(doors.tools, [unsaved.check]),
    budget: codeBudget,
    maxTokens,
    notices: commands?.notices,
  };
  function record(event: Event): void {
    session.append(event);
    emit(event);
  }
  const { take, ...rest } = openTurns({ ...options, strict: trust === "strict" }, kind, () => doors);
  const run = told(undoing?.kept(take) ?? take, unsaved, record);
  return { run, staging: doors.staging, enclosed: commands?.enclosed, ...rest };
}

/** Also a turn that ends before it is checked says what is not saved. */
function told(take: Turns["take"], unsaved: Unsaved, record: (event: Event) => void): Turns["take"] {
  return async (task, signal, attachments) => {
    unsaved.begin();
    const result = await take(task, signal, attachments);
    const notice = unsaved.end();
    if (notice !== undefined) record(notice);
    return result;
  };
}
