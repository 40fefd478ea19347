/** What a session has cost, for people. */

import { addUsage, noUsage, totalTokens, type Spent, type Usage, type Used } from "@croft/harness";
import { grouped, money } from "./numbers.ts";
import { plural } from "./plural.ts";

/** `1,234 tokens`; about so many where a service did not count them all. */
export function tokensText(usage: Usage): string {
  return `${usage.estimated === true ? "about " : ""}${grouped(totalTokens(usage))} tokens`;
}

/** `1,234 tokens (input 1,000, cache read 200, cache write 30, output 4)`. */
export function countedText(usage: Usage): string {
  return totalTokens(usage) === 0 ? tokensText(usage) : `${tokensText(usage)} (${countersText(usage)})`;
}

/** The four counters. */
export function countersText({ input, cacheRead, cacheWrite, output }: Omit<Usage, "estimated">): string {
  const counters = [
    `input ${grouped(input)}`,
    `cache read ${grouped(cacheRead)}`,
    `cache write ${grouped(cacheWrite)}`,
    `output ${grouped(output)}`,
  ];
  return counters.join(", ");
}

/** All of a session in one line, and where it asked several models a line for each. Nothing in them is escaped. */
export function costLines({ turns, dollars }: Spent, used: readonly Used[]): string[] {
  const usage = used.map((one) => one.usage).reduce(addUsage, noUsage);
  const whole = `${plural(turns, "turn")}, ${money(dollars)}, ${countedText(usage)}`;
  if (used.length < 2) return [whole];
  return [whole, ...used.map((one) => `${one.model}: ${money(one.dollars)}, ${countedText(one.usage)}`)];
}
