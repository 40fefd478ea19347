/** The loop: ask the model, run the tools it calls, hear what the user adds, check what it says, until it is done. */

import type { AgentOptions, TurnResult } from "./agent.ts";
import { askModel } from "./ask-model.ts";
import { addAttached } from "./attach.ts";
import { checkAnswer } from "./check-answer.ts";
import { hearMore } from "./hear-more.ts";
import { runTools } from "./run-tools.ts";
import { startTurn } from "./start-turn.ts";

/**
 * One turn: from a user's message to its stop. Every outcome is a status, failures and cancellation too; it throws
 * only for a fault in croft itself. One signal ends everything the turn has started.
 */
export async function runTurn(task: string, options: AgentOptions, signal: AbortSignal): Promise<TurnResult> {
  const turn = startTurn(task, options, signal);
  await addAttached(options.attach, turn);
  for (;;) {
    const exhausted = turn.exhausted();
    if (exhausted !== undefined) return turn.stop(exhausted);

    const step = await askModel(turn);
    if (step.kind === "ended") return turn.stop(step.status, step.failure);
    if (step.kind === "unfinished") continue;
    if (step.kind === "calls") {
      const stuck = await runTools(step, turn);
      if (stuck !== undefined) return turn.stop("stuck", stuck);
      await hearMore(turn);
      continue;
    }

    if (await hearMore(turn)) continue;
    const verdict = await checkAnswer(turn);
    if (verdict === "done" && (await hearMore(turn))) continue;
    if (verdict !== "again") return turn.stop(verdict);
  }
}
