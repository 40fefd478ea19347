/** A model by its name, with what the environment says of its service. */

import { anthropic, offline, type Model } from "@croft/harness";
import { UsageError } from "../usage.ts";
import type { Environment } from "./environment.ts";

const defaultModel = "anthropic/claude-opus-5-5";
const known = `Models: ${defaultModel} (or any anthropic/<model>), offline.`;

export type ChosenModel = {
  model: Model;
  /** What the person should know about the choice, one sentence. */
  notice: string | undefined;
};

/**
 * The model the person asked for, or the default of the environment. Under a ceiling in dollars (`capped`) no request may be
 * handed on to a model of another price.
 * Throws UsageError: E_UNKNOWN_MODEL, E_NO_KEY, E_BASE_URL.
 */
export function chooseModel(asked: string | undefined, environment: Environment, capped: boolean): ChosenModel {
  const configured = environment.apiKey !== undefined || environment.baseUrl !== undefined;
  if (asked === undefined && !configured) {
    return {
      model: offline(),
      notice: "No ANTHROPIC_API_KEY: using the rule-based offline model, which finds definitions, uses and mentions.",
    };
  }
  const name = asked ?? defaultModel;
  if (name === "offline") return { model: offline(), notice: undefined };
  const model = /^anthropic\/(\S+)$/.exec(name)?.[1];
  if (model === undefined) throw new UsageError("E_UNKNOWN_MODEL", `There is no model ${JSON.stringify(name)}.`, known);
  if (!configured) {
    throw new UsageError("E_NO_KEY", `${name} needs a key.`, "Set ANTHROPIC_API_KEY, or use --model offline.");
  }
  return { model: remote(model, environment, capped), notice: undefined };
}

function remote(model: string, { apiKey, baseUrl }: Environment, capped: boolean): Model {
  const url = baseUrl === undefined ? undefined : URL.parse(baseUrl);
  if (url?.username || url?.password) {
    const told = "ANTHROPIC_BASE_URL holds a user name or a password, which no request can be sent with.";
    throw new UsageError(
      "E_BASE_URL",
      told,
      "Take them out of it, and set ANTHROPIC_API_KEY to what the server wants.",
    );
  }
  if (url !== undefined && !/^https?:$/.test(url?.protocol ?? "")) {
    throw new UsageError("E_BASE_URL", `ANTHROPIC_BASE_URL is no URL: ${baseUrl}.`, "Set it to http://… or https://….");
  }
  return anthropic({ model, apiKey, baseUrl, fallbacks: !capped });
}
