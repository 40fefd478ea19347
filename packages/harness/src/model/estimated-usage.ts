/** The tokens of an answer whose server reports none. */

import type { Usage } from "../message.ts";
import type { Delta } from "./model.ts";

/** A guess from bytes, so that a budget still binds: four to a token, the usual rule of thumb for text and code. */
export function estimatedUsage(asked: number, answered: number): Usage {
  return { input: Math.ceil(asked / 4), cacheRead: 0, cacheWrite: 0, output: Math.ceil(answered / 4), estimated: true };
}

export const usageEstimated: Delta = {
  type: "notice",
  code: "usage_estimated",
  text: "The server reports no usage; the tokens are an estimate.",
};
