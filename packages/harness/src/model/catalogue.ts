/** What is known about models by name, `provider/model`: limits in tokens, prices in dollars per million tokens. */

import table from "./catalogue.json" with { type: "json" };

export type Limits = { context: number; output: number };
export type Price = { input: number; cacheRead: number; cacheWrite: number; output: number };
/** `source` is where it was read, `asOf` the month in which it was. */
type ModelFacts = { limits: Limits; price: Price; source: string; asOf: string };

/**
 * One price for each kind of token: a model that costs more from some length of its prompt on is not among them, for a
 * ceiling could not be kept with half of its price. A name with a date at its end is the same model.
 *
 * @internal
 */
export const catalogue: Readonly<Record<string, ModelFacts>> = table;

/** What any current model can be trusted to take. */
const cautious: Limits = { context: 200_000, output: 64_000 };

/** Those that are known. */
export function modelIds(): readonly string[] {
  return Object.keys(catalogue);
}

/** The limits of a model, cautious ones where it is not known. */
export function limitsOf(id: string): Limits {
  return known(id)?.limits ?? cautious;
}

/** The price of a model, undefined where it is not known. What is no service (a bare word, like `offline`) is free. */
export function priceOf(id: string): Price | undefined {
  if (!id.includes("/")) return { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
  return known(id)?.price;
}

function known(id: string): ModelFacts | undefined {
  const name = [id, id.replace(/-\d{8}$/, "")].find((each) => Object.hasOwn(catalogue, each));
  return name === undefined ? undefined : catalogue[name];
}
