/** The ask assembly: read-only questions about a repository, answered with citations that are checked. */

import { citations } from "../check/citations.ts";
import words from "./ask.md";
import { openReadOnly, readOnlyTools } from "./read-only.ts";
import { openTurns, type Assembly, type ExploringKind, type RunBudget, type TurnOptions, type Turns } from "./turns.ts";

/** What one question may use unless told otherwise. */
export const askBudget: RunBudget = Object.freeze({ steps: 12, tokens: 300_000, ms: 120_000 });

const maxTokens = 16_000;

/** A session of questions. Whoever opens it closes it. */
export type Asking = {
  /** One turn. Throws only for a fault in croft itself; every outcome is a status. */
  ask: Turns["take"];
  useModel: Turns["useModel"];
  useCeiling: Turns["useCeiling"];
  compact: Turns["compact"];
  context: Turns["context"];
  close: Turns["close"];
};

/** What ask is made of, apart from a project and a model. */
export function askAssembly(): Assembly {
  return { system: [{ type: "text", text: words }], tools: readOnlyTools, checks: [citations()] };
}

/** The kind of turn that asking is. */
export function askKind(): ExploringKind {
  return { assembly: askAssembly(), budget: askBudget, maxTokens };
}

/** Opens a repository for questions. Throws Failure where the root cannot be opened. */
export function openAsk(options: TurnOptions): Asking {
  const { take, ...rest } = openTurns(options, askKind(), openReadOnly);
  return { ask: take, ...rest };
}
