/** Turns that can be taken back: what each changes is kept by an undo, as one turn of its own. */

import { Failure } from "../error.ts";
import type { Policy } from "../policy/policy.ts";
import type { BeforeImages } from "../workspace/change.ts";
import type { CommandCover, OpenTurn, Undo } from "../workspace/snapshot.ts";
import type { Turns } from "./turns.ts";

/** What keeps the changes of commands. */
export type TurnKeeper = {
  /** The turn that is going on. Throws E_RELEASED between turns. */
  turn: () => OpenTurn;
  cover: (policy: Policy) => CommandCover;
};

export type Undoing = {
  /** For the workspace. Throws E_RELEASED between turns. */
  before: BeforeImages;
  /** For commands. */
  keeper: TurnKeeper;
  /** The same turn, kept. */
  kept(take: Turns["take"]): Turns["take"];
  /** Keeps what is changed meanwhile as a turn, under the name `task`. */
  within<Value>(task: string, work: () => Promise<Value>): Promise<Value>;
};

/** `session`: the id of the session whose turns they are. */
export function undoingWith(undo: Undo, session: string): Undoing {
  let open: OpenTurn | undefined;

  function turn(): OpenTurn {
    if (open === undefined) throw new Failure("E_RELEASED", "No turn is going on.");
    return open;
  }

  async function within<Value>(task: string, work: () => Promise<Value>): Promise<Value> {
    const begun = undo.begin({ session, task, at: Date.now() });
    open = begun;
    try {
      return await work();
    } finally {
      open = undefined;
      begun.end();
    }
  }

  return {
    within,
    before: { keep: (files) => turn().keep(files) },
    keeper: { turn, cover: (policy) => undo.cover(policy) },
    kept: (take) => (task, signal, attachments) => within(task, () => take(task, signal, attachments)),
  };
}
