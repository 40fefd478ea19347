/** Changes as a session's ledger takes them: which lines of which files are others now. */

import type { Landed } from "../change.ts";
import type { Hash } from "../fence.ts";
import type { Changed, Recorded, State } from "../snapshot.ts";
import { diffOf } from "../text/diff.ts";
import { getObject } from "./objects.ts";
import { objectsOf } from "./store.ts";

/** Only files have lines. Throws E_UNDO_DAMAGED. */
export async function landedOf(store: string, { record, files }: Recorded): Promise<Landed[]> {
  if (record === undefined) return [];
  const objects = objectsOf(store, record);
  const landed: Landed[] = [];
  for (const { path, before, after } of files.filter(isOfFiles)) {
    const contents = [before, after].map((state) => contentOf(objects, state));
    const { hunks } = await diffOf(path, contents[0] ?? null, contents[1] ?? null);
    landed.push({ path, before: hashOf(before), after: hashOf(after), hunks });
  }
  return landed;
}

function isOfFiles({ before, after }: Changed): boolean {
  return before?.kind === "file" || after?.kind === "file";
}

function contentOf(objects: string, state: State | null): Uint8Array | null {
  return state?.kind === "file" ? getObject(objects, state.hash) : null;
}

function hashOf(state: State | null): Hash | null {
  return state?.kind === "file" ? state.hash : null;
}
