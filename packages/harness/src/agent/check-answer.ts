/** An answer meets the checks; what fails goes back to the model a bounded number of times. */

import type { Check, Turn } from "../check/check.ts";
import type { CheckResult, Status } from "../event.ts";
import type { RunningTurn } from "./turn.ts";

/** The status the turn ends with, or "again" where the model has been told what is wrong. */
export async function checkAnswer(turn: RunningTurn): Promise<Status | "again"> {
  for (const check of turn.options.checks) {
    const result = await resultOf(check, turn);
    if (result === undefined) break;
    turn.record({ type: "check", name: check.name, result });
    if (result.pass) continue;
    if (result.final !== undefined) return result.final;
    const round = (turn.rounds.get(check) ?? 0) + 1;
    if (round > check.rounds) return "check_failed";
    turn.rounds.set(check, round);
    turn.say(result.report);
    return "again";
  }
  return turn.signal.aborted ? turn.interruption() : "done";
}

/** Undefined: the check was interrupted, and has neither passed nor failed. */
async function resultOf(check: Check, turn: RunningTurn): Promise<CheckResult | undefined> {
  const { ledger } = turn.options;
  const lines: Turn["lines"] = async (path, from, to) => {
    const found = await turn.options.lines(path, from, to, turn.signal);
    turn.record({ type: "lines", path, from, to, found });
    return found;
  };
  try {
    return await check.run({ answer: turn.answer.text, ledger, lines }, (event) => turn.record(event), turn.signal);
  } catch (thrown) {
    if (turn.signal.aborted) return undefined;
    throw thrown;
  }
}
