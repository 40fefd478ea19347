/** Whether the model that would be asked can be: nothing is asked of it, so no tokens are spent. */

import { asFailure, probeService } from "@croft/harness";
import { chooseModel } from "../config/model.ts";
import type { Settings } from "../config/settings.ts";
import type { Io } from "../io.ts";
import { fail, ok, warn, type Check } from "./check.ts";

const name = "model";
/** Milliseconds. */
const answerMs = 5_000;

export async function checkModel(settings: Settings, io: Io): Promise<Check> {
  try {
    const { model, service, notice } = chooseModel(settings, io.environment, false);
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
    return ok(name, `${who}: answers (HTTP ${reach.status}).`);
  } catch (error) {
    const { message, remedy } = asFailure(error);
    return fail(name, message, remedy);
  }
}
