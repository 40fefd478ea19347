/** From tokens to dollars. */

import type { Usage } from "../message.ts";
import { priceOf, type Price } from "./catalogue.ts";

/** Dollars for what a reply of the model used; undefined where its price is not known. */
export function costOf(modelId: string, usage: Usage): number | undefined {
  const price = priceOf(modelId);
  return price === undefined ? undefined : dollarsFor(usage, price);
}

/** Dollars for some usage at a price per million tokens. */
export function dollarsFor(usage: Usage, price: Price): number {
  const { input, cacheRead, cacheWrite, output } = usage;
  const millionths =
    input * price.input + cacheRead * price.cacheRead + cacheWrite * price.cacheWrite + output * price.output;
  return millionths / 1_000_000;
}
