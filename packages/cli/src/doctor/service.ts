/** Whether the model that would be asked can be: nothing is asked of it, so no tokens are spent. */

import { asFailure, probeService } from "@croft/harness";
import { chooseModel } from "../config/model.ts";
import type { Settings } from "../config/settings.ts";
import type { Io } from "../io.ts";
import { fail, ok, warn, type Check } from "./check.ts";

const name = "model";
/** Milliseconds. */
const answerMs = 5_000;
/** Models that are named. */
const listMost = 8;

export async function checkModel(settings: Settings, io: Io): Promise<Check> {
  try {
    const { model, service, notice } = chooseModel(settings, io.environment);
    if (service === undefined) {
      const remedy = "Set ANTHROPIC_API_KEY for the default model, or name another with --model.";
      return notice === undefined
        ? ok(name, "offline, as asked for.")
        : warn(name, "offline: no ANTHROPIC_API_KEY. It answers questions; croft run needs a model.", remedy);
    }
    const key = service.apiKey === undefined ? "without a key" : "with a key";
    const who = `${model.id} at ${service.baseUrl}, ${key}`;
    const reach = await probeService(service, answerMs, io.signal);
    if ("unreachable" in reach) {
      return fail(
        name,
        `${who}: cannot be reached (${reach.unreachable}).`,
        "Check the network, a proxy, the base URL, and that the server is running.",
      );
    }
    if (reach.status === 401 || reach.status === 403) {
      return fail(
        name,
        `${who}: the key is not accepted (HTTP ${reach.status}).`,
        "Check that the key is complete and valid.",
      );
    }
    if (reach.status >= 500) return warn(name, `${who}: answers with HTTP ${reach.status}.`, "Try again later.");
    const { models = [] } = reach;
    if (models.length === 0 || models.some((listed) => isSame(listed, model.id))) {
      return ok(name, `${who}: answers (HTTP ${reach.status}).`);
    }
    const some = `${models.slice(0, listMost).join(", ")}${models.length > listMost ? "…" : ""}`;
    return warn(name, `${who}: answers, but does not list this model.`, `Name one that it lists: ${some}.`);
  } catch (error) {
    const { message, remedy } = asFailure(error);
    return fail(name, message, remedy);
  }
}

/** A service may list the dated name of what is asked for by a shorter one, or, as Ollama, with the tag that it implies. */
function isSame(listed: string, id: string): boolean {
  const model = id.slice(id.indexOf("/") + 1);
  return listed === model || listed === `${model}:latest` || listed.startsWith(`${model}-`);
}
