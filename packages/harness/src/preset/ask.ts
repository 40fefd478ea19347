/** The ask assembly: read-only questions about a repository, answered with citations that are checked. */

import type { AgentOptions, TurnResult } from "../agent/agent.ts";
import { runTurn } from "../agent/loop.ts";
import { citations } from "../check/citations.ts";
import type { Budget, Event } from "../event.ts";
import type { Usage } from "../message.ts";
import { dollarBudget } from "../model/budget.ts";
import type { Model } from "../model/model.ts";
import type { Price } from "../model/catalogue.ts";
import { costOf, dollarsFor } from "../model/price.ts";
import { retry, type RetryOptions } from "../model/retry.ts";
import type { Session } from "../session/session.ts";
import words from "./ask.md";
import { attaching, type Attachments } from "./attachments.ts";
import { loadMemory, noMemory, type MemoryOptions } from "./memory.ts";
import { openReadOnly, readOnlyTools, type ReadOnlyOptions } from "./read-only.ts";

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
  /**
   * What goes with the project's memory files; false: none at all, as is the default in strict mode, where nothing is
   * read unasked.
   */
  memory?: MemoryOptions | false | undefined;
  emit: (event: Event) => void;
};

export type Asking = {
  /** One turn. Throws only for a fault in croft itself; every outcome is a status. */
  ask(question: string, signal: AbortSignal, attachments?: Attachments): Promise<TurnResult>;
  close(): void;
};

/** What ask is made of, apart from a project and a model. */
export function askAssembly(): Pick<AgentOptions, "system" | "tools" | "checks"> {
  return { system: [{ type: "text", text: words }], tools: readOnlyTools, checks: [citations()] };
}

/** Opens a repository for questions. Throws Failure where the root cannot be opened. */
export function openAsk(options: AskOptions): Asking {
  const { session, emit, maxTokens = 16_000, strict = false, memory: asked = strict ? false : {} } = options;
  const { dollars, ...budget } = { ...askBudget, ...options.budget };
  const record = (event: Event): void => {
    session.append(event);
    emit(event);
  };
  const doors = openReadOnly({ ...options, emit: record });
  const memory = asked === false ? noMemory : loadMemory(doors.memory, asked, record);
  const news = [...memory.notices];
  const { model, price } = options;
  const prices = price === undefined ? {} : { priceOf: () => price };
  const assembly = askAssembly();
  const limited = dollars === undefined ? model : dollarBudget(dollars, prices)(model);
  const agent = {
    ...doors,
    checks: assembly.checks,
    tools: assembly.tools.map((tool) => memory.extend(tool)),
    system: [...assembly.system, ...memory.system],
    model: retry(options.retry)(limited),
    maxTokens: Math.min(maxTokens, model.output),
    session,
    budget,
    cost: (usage: Usage) => (price === undefined ? costOf(model.id, usage) : dollarsFor(usage, price)),
    emit(event: Event) {
      emit(event);
      // Whatever is told of a session is told behind its start.
      if (event.type === "start") for (const notice of news.splice(0)) record(notice);
    },
  };
  return {
    ask: (question, signal, attachments = {}) =>
      runTurn(question, { ...agent, attach: attaching(attachments, agent) }, signal),
    close: () => doors.close(),
  };
}
