import type { Status } from "@croft/harness";

/** Why a run ended, and the next step, where no failure says it better. */
export const reasons: Readonly<Record<Status, string>> = {
  done: "Done.",
  error: "The run failed.",
  max_turns: "The limit of steps was reached before an answer. Allow more with --max-turns, or ask something narrower.",
  token_budget: "The limit of tokens was reached before an answer. Allow more with --max-tokens.",
  dollar_budget: "The next request could have passed the ceiling. Allow more with --max-dollars.",
  timeout: "Time ran out before an answer. Allow more seconds with --timeout.",
  max_tokens: "The answer was cut at the model's output limit.",
  refused: "The model declined to answer.",
  stuck: "The model repeated the same calls, so the run was ended. Try to ask in other words.",
  check_failed: "What was done or said did not pass its checks.",
  cancelled: "Cancelled.",
};
