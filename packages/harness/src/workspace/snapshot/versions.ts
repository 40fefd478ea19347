/** The two versions of a file: what is there now, and what undo would put there. */

import { contentOf } from "../place/content.ts";
import type { Root } from "../place/place.ts";
import type { PastTurn, Versions } from "../snapshot.ts";
import { getObject, pathOf } from "./objects.ts";
import { withSpot } from "./present.ts";
import { objectsOf } from "./store.ts";

/**
 * Of the last turn that changed the file and was not wholly undone; undefined if there is none. Throws E_UNDO_DAMAGED,
 * and the system's error where the file may not be read.
 */
export function versionsOf(store: string, root: Root, turns: readonly PastTurn[], path: string): Versions | undefined {
  const turn = turns.findLast(({ state, files }) => state !== "undone" && files.some((file) => file.path === path));
  const changed = turn?.files.find((file) => file.path === path);
  if (turn === undefined || changed === undefined) return undefined;
  const objects = objectsOf(store, turn.number);
  const hash = changed.before?.kind === "file" ? changed.before.hash : undefined;
  return {
    path,
    turn: turn.number,
    now: withSpot(root, path, ({ found }) => (found?.kind === "file" ? contentOf(found) : null)) ?? null,
    before: hash === undefined ? null : getObject(objects, hash),
    kept: hash === undefined ? undefined : pathOf(objects, hash),
  };
}
