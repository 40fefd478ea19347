import { totalTokens, type Event } from "@croft/harness";

/** Tokens that the conversation holds after an event, where it tells: what the last request read and wrote. */
export function contextIn(event: Event): number | undefined {
  if (event.type !== "step" || event.usage.estimated === true) return undefined;
  const tokens = totalTokens(event.usage);
  return tokens === 0 ? undefined : tokens;
}
