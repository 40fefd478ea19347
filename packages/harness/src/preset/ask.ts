/** The ask assembly: read-only questions about a repository, answered with citations that are checked. */

import type { Budget, TurnResult } from "../agent/agent.ts";
import { runTurn } from "../agent/loop.ts";
import { citations } from "../check/citations.ts";
import type { Event } from "../event.ts";
import type { Usage } from "../message.ts";
import { dollarBudget } from "../model/budget.ts";
import type { Model } from "../model/model.ts";
import type { Price } from "../model/catalogue.ts";
import { costOf, dollarsFor } from "../model/price.ts";
import { retry, type RetryOptions } from "../model/retry.ts";
import type { Session } from "../session/session.ts";
import words from "./ask.md";
import { attaching, type Attachments } from "./attachments.ts";
import { openReadOnly, type ReadOnlyOptions } from "./read-only.ts";

/** `dollars` is a hard ceiling: a request that could pass it is not made. */
export type AskBudget = Budget & { dollars?: number | undefined };

/** What one question may use unless told otherwise. */
export const askBudget: AskBudget = Object.freeze({ steps: 12, tokens: 300_000, ms: 120_000 });

export type AskOptions = ReadOnlyOptions & {
  /** A bare adapter: retry and the dollar ceiling are put around it here. */
  model: Model;
  /** Dollars per million tokens. Default: what the catalogue knows of the model. */
  price?: Price | undefined;
  session: Session;
  budget?: Partial<AskBudget> | undefined;
  /** Tokens of output at most, each request. */
  maxTokens?: number | undefined;
  /** How failed requests are repeated. */
  retry?: RetryOptions | undefined;
  emit: (event: Event) => void;
};

export type Asking = {
  /** One turn. Throws only for a fault in croft itself; every outcome is a status. */
  ask(question: string, signal: AbortSignal, attachments?: Attachments): Promise<TurnResult>;
  close(): void;
};

/** Opens a repository for questions. Throws Failure where the root cannot be opened. */
export function openAsk(options: AskOptions): Asking {
  const { session, emit, maxTokens = 16_000 } = options;
  const { dollars, ...budget } = { ...askBudget, ...options.budget };
  const doors = openReadOnly({
    ...options,
    emit(event) {
      session.append(event);
      emit(event);
    },
  });
  const { model, price } = options;
  const prices = price === undefined ? {} : { priceOf: () => price };
  const limited = dollars === undefined ? model : dollarBudget(dollars, prices)(model);
  const agent = {
    ...doors,
    model: retry(options.retry)(limited),
    maxTokens: Math.min(maxTokens, model.output),
    system: [{ type: "text" as const, text: words }],
    checks: [citations()],
    session,
    budget,
    cost: (usage: Usage) => (price === undefined ? costOf(model.id, usage) : dollarsFor(usage, price)),
    emit,
  };
  return {
    ask: (question, signal, attachments = {}) =>
      runTurn(question, { ...agent, attach: attaching(attachments, doors) }, signal),
    close: () => doors.close(),
  };
}
