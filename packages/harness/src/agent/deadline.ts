import type { AgentOptions } from "./agent.ts";

/** Milliseconds; what is longer a timer of the platform would end at once. */
const longestTimer = 2 ** 31 - 1;

/** Fires once the time is up that what begins now may take. */
export function deadlineOf({ budget, deadline = timer }: Pick<AgentOptions, "budget" | "deadline">): AbortSignal {
  return deadline(budget.ms);
}

function timer(ms: number): AbortSignal {
  return AbortSignal.timeout(Math.min(Math.ceil(ms), longestTimer));
}
