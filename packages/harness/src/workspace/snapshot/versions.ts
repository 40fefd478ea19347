/** The two versions of a file: what is there now, and what undo would put there. */

import { Failure } from "../../error.ts";
import { contentOf, maxChangedBytes } from "../place/content.ts";
import type { Root } from "../place/place.ts";
import type { PastTurn, Versions } from "../snapshot.ts";
import { diffOf } from "../text/diff.ts";
import { quoted } from "../text/show-path.ts";
import { getObject, pathOf } from "./objects.ts";
import { withSpot } from "./present.ts";
import { objectsOf } from "./store.ts";

/**
 * Of the last turn that changed the file and was not wholly undone; undefined if there is none. Throws E_UNDO_DAMAGED,
 * E_TOO_LARGE, and the system's error where the file may not be read.
 */
export async function versionsOf(
  store: string,
  root: Root,
  turns: readonly PastTurn[],
  path: string,
): Promise<Versions | undefined> {
  const turn = turns.findLast(({ state, files }) => state !== "undone" && files.some((file) => file.path === path));
  const changed = turn?.files.find((file) => file.path === path);
  if (turn === undefined || changed === undefined) return undefined;
  const objects = objectsOf(store, turn.number);
  const hash = changed.before?.kind === "file" ? changed.before.hash : undefined;
  const now = presentBytes(root, path);
  const before = hash === undefined ? null : getObject(objects, hash);
  const { diff } = await diffOf(path, now, before);
  return { path, turn: turn.number, now, before, diff, kept: hash === undefined ? undefined : pathOf(objects, hash) };
}

function presentBytes(root: Root, path: string): Uint8Array | null {
  const bytes = withSpot(root, path, ({ found }) => {
    if (found?.kind !== "file") return null;
    if (found.size <= maxChangedBytes) return contentOf(found);
    throw new Failure("E_TOO_LARGE", `${quoted(path)} has ${found.size} bytes: too many to compare.`);
  });
  return bytes ?? null;
}
