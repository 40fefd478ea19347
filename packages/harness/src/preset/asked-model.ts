/** The model that a session asks, wrapped for its turns; from one turn to the next it may be another. */

import type { AgentOptions } from "../agent/agent.ts";
import type { Usage } from "../message.ts";
import { dollarBudget } from "../model/budget.ts";
import { priceOf, type Price } from "../model/catalogue.ts";
import type { Model, Wrapper } from "../model/model.ts";
import { dollarsFor } from "../model/price.ts";
import { retry, type RetryOptions } from "../model/retry.ts";

export type ModelSettings = {
  /** A ceiling in dollars that was asked for holds for every model, and refuses those without a price. */
  dollars: number | undefined;
  /** One that was not holds for those that have a price. */
  usualDollars: number | undefined;
  /** Tokens of output at most, each request. */
  maxTokens: number;
  retry: RetryOptions | undefined;
};

/** What a turn takes of it. */
export type AskedModel = Pick<AgentOptions, "model" | "maxTokens" | "cost">;

/** Prepares models for the turns of a session. One ceiling holds for all of them together. */
export function modelsFor({
  dollars,
  usualDollars,
  maxTokens,
  retry: retrying,
}: ModelSettings): (model: Model, price?: Price) => AskedModel {
  const prices = new Map<string, Price>();
  const ceiling = dollars ?? usualDollars;
  const limit: Wrapper =
    ceiling === undefined ? (model) => model : dollarBudget(ceiling, { priceOf: (id) => prices.get(id) });
  return (model, price = priceOf(model.id)) => {
    if (price === undefined) prices.delete(model.id);
    else prices.set(model.id, price);
    const limited = dollars === undefined && price === undefined ? model : limit(model);
    return {
      model: retry(retrying)(limited),
      maxTokens: Math.min(maxTokens, model.output),
      cost: (usage: Usage) => (price === undefined ? undefined : dollarsFor(usage, price)),
    };
  };
}
