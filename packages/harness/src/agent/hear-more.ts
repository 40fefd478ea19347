/** What the user says while a turn runs: taken between two steps, so never between a call and its result. */

import { addAttached } from "./attach.ts";
import type { RunningTurn } from "./turn.ts";

/** Adds it to the session, in order, with what goes with it. False: nothing was said, or the turn is over anyway. */
export async function hearMore(turn: RunningTurn): Promise<boolean> {
  const { steering } = turn.options;
  if (steering === undefined) return false;
  let heard = false;
  while (turn.exhausted() === undefined) {
    const said = steering();
    for (const { text, attach } of said) {
      turn.record({ type: "steered", text });
      turn.add({ role: "user", content: [{ type: "text", text }] });
      await addAttached(attach, turn);
    }
    if (said.length === 0) return heard;
    heard = true;
  }
  return heard;
}
