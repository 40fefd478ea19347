/** An answer meets the checks; what fails goes back to the model a bounded number of times. */

import type { Status } from "../event.ts";
import type { ReadLines } from "../workspace/lines.ts";
import type { RunningTurn } from "./turn.ts";

/** The status the turn ends with, or "again" where the model has been told what is wrong. */
export async function checkAnswer(turn: RunningTurn): Promise<Status | "again"> {
  const { checks, ledger } = turn.options;
  const lines: ReadLines = async (path, from, to) => {
    const found = await turn.options.lines(path, from, to);
    turn.record({ type: "lines", path, from, to, found });
    return found;
  };
  for (const check of checks) {
    const result = await check.run({ answer: turn.answer, ledger, lines }, (event) => turn.record(event), turn.signal);
    turn.record({ type: "check", name: check.name, result });
    if (result.pass) continue;
    if (result.final !== undefined) return result.final;
    if (turn.tried(check.name) > check.rounds) return "check_failed";
    turn.say(result.report);
    return "again";
  }
  return turn.signal.aborted ? turn.interruption() : "done";
}
