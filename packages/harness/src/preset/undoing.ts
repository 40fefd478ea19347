/** Turns that can be taken back: what each changes is kept by an undo, as one turn of its own. */

import { Failure } from "../error.ts";
import type { BeforeImages } from "../workspace/change.ts";
import type { OpenTurn, Undo } from "../workspace/snapshot.ts";
import type { Turns } from "./turns.ts";

export type Undoing = {
  /** For the workspace. Throws E_RELEASED between turns. */
  before: BeforeImages;
  /** The same turn, kept. */
  kept(take: Turns["take"]): Turns["take"];
};

/** `session`: the id of the session whose turns they are. */
export function undoingWith(undo: Undo, session: string): Undoing {
  let open: OpenTurn | undefined;
  return {
    before: {
      keep(files) {
        if (open === undefined) throw new Failure("E_RELEASED", "No turn is going on.");
        return open.keep(files);
      },
    },
    kept: (take) => async (task, signal, attachments) => {
      const turn = undo.begin({ session, task, at: Date.now() });
      open = turn;
      try {
        return await take(task, signal, attachments);
      } finally {
        open = undefined;
        turn.end();
      }
    },
  };
}
