/** The model that a session asks, wrapped for its turns; from one turn to the next it may be another. */

import type { AgentOptions } from "../agent/agent.ts";
import type { Usage } from "../message.ts";
import { dollarBudget, type BudgetOptions } from "../model/budget.ts";
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
  /** The last prompt that a model was asked before, and what was counted of it. */
  recalled: BudgetOptions["recalled"];
  /** Told what each request counts against the ceiling, in dollars. */
  onCharge: ((dollars: number) => void) | undefined;
};

/** What a turn takes of it. */
export type AskedModel = Pick<AgentOptions, "model" | "maxTokens" | "cost">;

export type AskedModels = AskedModel & {
  /** For one exploration, whose requests pass the ceiling of the session and one of its own. */
  exploring: (maxTokens: number) => AskedModel;
};

/** Of the ceiling in dollars, what one exploration may use. */
const explorationShare = 1 / 4;

/** The model that a session asks now. */
export type SessionModel = {
  now: () => AskedModels;
  /** From the next turn on. Without a price: what the catalogue knows of the model. */
  useModel: (model: Model, price?: Price) => void;
  /** From the next turn on so much may be spent, whatever was spent before. */
  useCeiling: (dollars: number) => void;
};

/** A ceiling is replaced by one that holds for the same models. */
export function sessionModel(
  first: { model: Model; price?: Price | undefined },
  settings: ModelSettings,
): SessionModel {
  let { model, price } = first;
  let prepared = modelsFor(settings);
  let asked = prepared(model, price);
  return {
    now: () => asked,
    useModel(...next) {
      [model, price] = next;
      asked = prepared(model, price);
    },
    useCeiling(ceiling) {
      prepared = modelsFor({
        ...settings,
        ...(settings.dollars === undefined ? { usualDollars: ceiling } : { dollars: ceiling }),
      });
      asked = prepared(model, price);
    },
  };
}

/** Prepares models for the turns of a session. One ceiling holds for all of them together. */
function modelsFor({
  dollars,
  usualDollars,
  maxTokens,
  retry: retrying,
  recalled,
  onCharge,
}: ModelSettings): (model: Model, price?: Price) => AskedModels {
  const prices = new Map<string, Price>();
  const ceiling = dollars ?? usualDollars;
  const below = (limit: number | undefined, charged?: typeof onCharge): Wrapper =>
    limit === undefined
      ? (model) => model
      : dollarBudget(limit, { priceOf: (id) => prices.get(id), recalled, onCharge: charged });
  const whole = below(ceiling, onCharge);
  return (model, price = priceOf(model.id)) => {
    if (price === undefined) prices.delete(model.id);
    else prices.set(model.id, price);
    const isLimited = dollars !== undefined || price !== undefined;
    const limited = isLimited ? whole(model) : model;
    const cost = (usage: Usage): number | undefined => (price === undefined ? undefined : dollarsFor(usage, price));
    const asked = (inner: Model, most: number): AskedModel => {
      return { model: retry(retrying)(inner), maxTokens: Math.min(most, model.output), cost };
    };
    return {
      ...asked(limited, maxTokens),
      exploring(most) {
        const share = isLimited && ceiling !== undefined ? ceiling * explorationShare : undefined;
        return asked(below(share)(limited), most);
      },
    };
  };
}
