import type { Budget, Status } from "../event.ts";
import { addUsage, noUsage, totalTokens, type Usage } from "../message.ts";

/** What of its budget a turn has used. */
export interface Spending {
  /** Requests made so far. */
  readonly steps: number;
  readonly usage: Usage;
  /** One step, and what it used. */
  step(usage: Usage): void;
  /** Used beside the steps. */
  add(usage: Usage): void;
  /** Tokens that may still be used. */
  tokensLeft(): number;
  /** The limit that was reached, if one was. */
  exhausted(): Status | undefined;
}

export function createSpending(budget: Budget): Spending {
  let steps = 0;
  let usage = noUsage;

  function add(more: Usage): void {
    usage = addUsage(usage, more);
  }

  function tokensLeft(): number {
    return Math.max(0, budget.tokens - totalTokens(usage));
  }

  return {
    get steps() {
      return steps;
    },
    get usage() {
      return usage;
    },
    step(used) {
      steps += 1;
      add(used);
    },
    add,
    tokensLeft,
    exhausted() {
      if (steps >= budget.steps) return "max_turns";
      return tokensLeft() === 0 ? "token_budget" : undefined;
    },
  };
}
