/** What is known about models by name, `provider/model`: limits in tokens, prices in dollars per million tokens. */

export type Limits = { context: number; output: number };
export type Price = { input: number; cacheRead: number; cacheWrite: number; output: number };
type ModelFacts = { limits: Limits; price: Price };

/** As published in November 2026. A name with a date at its end is the same model. */
const catalogue: ReadonlyMap<string, ModelFacts> = new Map([
  [
    "anthropic/claude-opus-5-5",
    {
      limits: { context: 1_000_000, output: 128_000 },
      price: { input: 4, cacheRead: 0.2, cacheWrite: 5, output: 20 },
    },
  ],
]);

/** What any current model can be trusted to take. */
const cautious: Limits = { context: 200_000, output: 64_000 };

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
  return catalogue.get(id) ?? catalogue.get(id.replace(/-\d{8}$/, ""));
}
