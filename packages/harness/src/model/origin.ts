import type { Origin } from "../message.ts";

/** The origin that a model's id stands for: `provider/model`, or one bare word without a provider. */
export function originOf(modelId: string): Origin {
  const slash = modelId.indexOf("/");
  return { provider: modelId.slice(0, Math.max(0, slash)), model: modelId.slice(slash + 1) };
}
