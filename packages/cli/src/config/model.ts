/** A model by its name, with what the configuration and the environment say of its service. */

import {
  anthropic,
  chatCompletions,
  modelIds,
  offline,
  type Model,
  type Past,
  type Price,
  type Service,
} from "@croft/harness";
import { nearest } from "../nearest.ts";
import { UsageError } from "../usage.ts";
import type { Environment } from "./environment.ts";
import { providers } from "./providers.ts";
import type { NamedModel } from "./config.ts";
import type { Settings } from "./settings.ts";
import { namingItsKey } from "./key-source.ts";
import { targetOf, type Target } from "./target.ts";

const defaultModel = "anthropic/claude-opus-5-5";

export type ChosenModel = {
  model: Model;
  /** Where the catalogue is not to be asked. */
  price: Price | undefined;
  /** Undefined for a model that is none. */
  service: Service | undefined;
  /** What the person should know about the choice, one sentence or two. */
  notice: string | undefined;
};

type Wanted = Pick<Settings, "model" | "models"> & { budget: Pick<Settings["budget"], "dollars"> };

/**
 * The model the settings name, or the default of the environment. Under a ceiling in dollars no request may be handed on
 * to a model of another price. Throws UsageError: E_UNKNOWN_MODEL, E_NO_KEY, E_BASE_URL.
 */
export function chooseModel({ model, models, budget }: Wanted, environment: Environment): ChosenModel {
  const name = model?.value ?? defaultModelOf(environment);
  if (name === "offline") {
    const notice = model === undefined ? noKeyNotice(environment) : undefined;
    return { model: offline(), price: undefined, service: undefined, notice };
  }
  const named = models.get(name)?.value ?? byPath(name);
  if (named === undefined) throw unknownModel(name, models);
  const target = targetOf(name, named, environment);
  return {
    model: namingItsKey(makers[target.api](target, { fallbacks: budget.dollars === undefined }), target),
    price: target.price,
    service: { api: target.api, baseUrl: target.baseUrl, apiKey: target.apiKey },
    notice: undefined,
  };
}

/** The settings under which a session goes on: with the model it had, unless another one is named (`asked`). */
export function modelOf(
  { model }: Past,
  settings: Settings,
  asked: string | undefined,
  environment: Environment,
): Wanted {
  if (asked !== undefined) return settings;
  const { value = defaultModelOf(environment) } = settings.model ?? {};
  const named = settings.models.get(value)?.value ?? byPath(value);
  const isSame = value === model || `${named?.provider ?? value}/${named?.model}` === model;
  return isSame ? settings : { ...settings, model: { value: model, from: "the session" } };
}

/** The model where nobody names one. */
export function defaultModelOf(environment: Environment): string {
  return isConfigured("anthropic", environment) ? defaultModel : "offline";
}

/** Whether the environment says anything about a provider. */
function isConfigured(name: string, { variable }: Environment): boolean {
  const { apiKeyEnv, baseUrlFrom } = providers.get(name) ?? {};
  return [apiKeyEnv, baseUrlFrom?.variable].some((each) => each !== undefined && variable(each) !== undefined);
}

const makers: Readonly<Record<Service["api"], (target: Target, options: { fallbacks: boolean }) => Model>> = {
  messages: ({ provider, model, baseUrl, apiKey, context, output, capabilities }, { fallbacks }) =>
    anthropic({
      provider,
      model,
      baseUrl,
      apiKey,
      context,
      output,
      capabilities,
      images: capabilities?.images,
      fallbacks,
    }),
  "chat-completions": ({ provider, model, baseUrl, apiKey, context, output, capabilities }) =>
    chatCompletions({ provider, model, baseUrl, apiKey, context, output, capabilities }),
};

function byPath(name: string): NamedModel | undefined {
  const [, provider = "", model = ""] = /^([^/]+)\/(\S+)$/.exec(name) ?? [];
  return providers.has(provider) ? { provider, model } : undefined;
}

function noKeyNotice(environment: Environment): string {
  const others = [...providers.keys()].filter((name) => isConfigured(name, environment));
  const hint = others.length === 0 ? "" : ` For a service that is set up, name a model: --model ${others[0]}/<model>.`;
  return `No ANTHROPIC_API_KEY: using the rule-based offline model, which finds definitions, uses and mentions.${hint} More: croft doctor.`;
}

function unknownModel(name: string, models: Wanted["models"]): UsageError {
  const known = [...[...providers.keys()].map((provider) => `${provider}/<model>`), ...models.keys(), "offline"];
  const all = `Models: ${known.join(", ")}. The default is ${defaultModel}.`;
  const meant = meantBy(name, [...models.keys(), ...modelIds()]);
  const remedy = meant === undefined ? all : `Did you mean ${meant}? ${all}`;
  return new UsageError("E_UNKNOWN_MODEL", `There is no model ${JSON.stringify(name)}.`, remedy);
}

/** One that is written without its provider, or nearly so. */
function meantBy(name: string, names: readonly string[]): string | undefined {
  return name === "" ? undefined : (names.find((each) => each.endsWith(`/${name}`)) ?? nearest(name, names));
}
