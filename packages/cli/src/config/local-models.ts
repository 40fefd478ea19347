/** What servers on this machine offer: asking them costs nothing and tells nobody anything. */

import { probeService } from "@croft/harness";
import { UsageError } from "../usage.ts";
import type { Environment } from "./environment.ts";
import { isHere } from "./here.ts";
import { providers } from "./providers.ts";
import { targetOf, type Target } from "./target.ts";

/** Milliseconds for an answer: somebody waits for the list. */
const answerMs = 500;
/** Names of one server that are listed. */
const most = 50;

/** Names of models, as `/model` takes them. A server that is not there, or lists nothing, adds none. Never rejects. */
export async function localModels(environment: Environment, signal: AbortSignal): Promise<readonly string[]> {
  const lists = await Promise.all(
    [...providers.keys()].map(async (provider) => {
      const target = targetIfAny(provider, environment);
      if (target === undefined || !isHere(target.baseUrl)) return [];
      const reach = await probeService(target, answerMs, signal);
      const ids = "models" in reach ? (reach.models ?? []) : [];
      return ids
        .filter(canBeTyped)
        .slice(0, most)
        .map((id) => `${provider}/${id}`);
    }),
  );
  return lists.flat();
}

/** Undefined where its key is missing or its address is none. */
function targetIfAny(provider: string, environment: Environment): Target | undefined {
  try {
    return targetOf(provider, { provider, model: "" }, environment);
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

/** Whoever listens there names what it likes. */
function canBeTyped(id: string): boolean {
  return /^[!-~]{1,200}$/.test(id);
}
