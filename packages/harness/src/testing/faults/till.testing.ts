/** What a service bills, which is all it can, and whether a request was made that could pass a ceiling. */

import type { Price } from "../../model/catalogue.ts";
import { dollarsFor } from "../../model/price.ts";
import type { Usage } from "../../message.ts";
import type { Counting } from "./schedule.testing.ts";

export type Till = {
  /** Under what the next requests are made. */
  open(ceiling: number | undefined, price: Price): void;
  /** A request came: billed at its worst, until it is settled. */
  enter(prompt: number, maxTokens: number): void;
  /** The last request costs nothing, or what was counted and heard. */
  settle(usage: Usage | undefined): void;
  /** Requests that could have passed their ceiling. */
  readonly passed: readonly string[];
};

export function openTill(): Till {
  const passed: string[] = [];
  let ceiling: number | undefined;
  let price: Price = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
  let billed = 0;
  let last = 0;
  return {
    passed,
    open(most, prices) {
      ceiling = most;
      price = prices;
      billed = 0;
      last = 0;
    },
    enter(prompt, maxTokens) {
      const dearest = Math.max(price.input, price.cacheRead, price.cacheWrite);
      last = (prompt * dearest + maxTokens * price.output) / 1_000_000;
      const could = billed + last;
      if (ceiling !== undefined && could > ceiling + 1e-9) passed.push(`$${could} of $${ceiling}, $${billed} billed`);
      billed += last;
    },
    settle(usage) {
      const charge = usage === undefined ? 0 : dollarsFor(usage, price);
      billed += charge - last;
      last = charge;
    },
  };
}

/** Tokens of all words in a request, however it is built. */
export function promptTokens(value: unknown, density: number): number {
  return Math.ceil(bytesIn(value) * density);
}

function bytesIn(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, one: unknown) => sum + bytesIn(one), 0);
}

/**
 * A count of what a reply can have used. `said`: the tokens of what is heard of it, which its count is never below: the
 * next prompt has them, too.
 */
export function counted(
  { prompt, maxTokens, said }: { prompt: number; maxTokens: number; said: number },
  { read, written, filled }: Counting,
): Usage {
  const cacheRead = Math.floor(prompt * read);
  const cacheWrite = Math.floor((prompt - cacheRead) * written);
  return {
    input: prompt - cacheRead - cacheWrite,
    cacheRead,
    cacheWrite,
    output: Math.min(maxTokens, Math.max(1, said, Math.floor(maxTokens * filled))),
  };
}
