/** A model by its name, with what the configuration and the environment say of its service. */

import { anthropic, chatCompletions, offline, type Model, type Price, type Service } from "@croft/harness";
import { UsageError } from "../usage.ts";
import type { Environment } from "./environment.ts";
import { providers, type Provider } from "./providers.ts";
import type { NamedModel } from "./config.ts";
import type { Settings } from "./settings.ts";

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

/** Everything that is known about one model before it is made. */
type Target = Service & NamedModel & { provider: string };
type Wanted = Pick<Settings, "model" | "models">;

/**
 * The model the settings name, or the default of the environment. Under a ceiling in dollars (`capped`) no request may be
 * handed on to a model of another price. Throws UsageError: E_UNKNOWN_MODEL, E_NO_KEY, E_BASE_URL.
 */
export function chooseModel({ model, models }: Wanted, environment: Environment, capped: boolean): ChosenModel {
  const name = model?.value ?? defaultModelOf(environment);
  if (name === "offline") {
    const notice = model === undefined ? noKeyNotice(environment) : undefined;
    return { model: offline(), price: undefined, service: undefined, notice };
  }
  const named = models.get(name)?.value ?? byPath(name);
  if (named === undefined) throw unknownModel(name, models);
  const target = resolve(name, named, environment);
  return {
    model: makers[target.api](target, capped),
    price: target.price,
    service: { api: target.api, baseUrl: target.baseUrl, apiKey: target.apiKey },
    notice: undefined,
  };
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

const makers: Readonly<Record<Service["api"], (target: Target, capped: boolean) => Model>> = {
  messages: ({ provider, model, baseUrl, apiKey, context, output, capabilities }, capped) =>
    anthropic({
      provider,
      model,
      baseUrl,
      apiKey,
      context,
      output,
      capabilities,
      images: capabilities?.images,
      fallbacks: !capped,
    }),
  "chat-completions": ({ provider, model, baseUrl, apiKey, context, output, capabilities }) =>
    chatCompletions({ provider, model, baseUrl, apiKey, context, output, capabilities }),
};

function byPath(name: string): NamedModel | undefined {
  const [, provider = "", model = ""] = /^([^/]+)\/(\S+)$/.exec(name) ?? [];
  return providers.has(provider) ? { provider, model } : undefined;
}

/** Joins what the name says, what the provider's row says, and what the environment holds. */
function resolve(name: string, named: NamedModel, environment: Environment): Target {
  const provider = named.provider ?? name;
  const row: Partial<Provider> = providers.get(provider) ?? {};
  const api = named.api ?? row.api;
  const { url, variable } = serverOf(named, row, environment);
  if (api === undefined || url === undefined) throw new Error(`the schema let ${name} pass`);
  if (variable !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
    throw new UsageError("E_BASE_URL", `${variable} is no URL: ${url}.`, "Set it to http://… or https://….");
  }
  // A key goes to the server it belongs to: not to another one that the configuration names, unless it names the key too.
  const keyEnv = named.apiKeyEnv ?? (named.baseUrl === undefined ? row.apiKeyEnv : undefined);
  const apiKey = keyEnv === undefined ? undefined : environment.variable(keyEnv);
  const mayDoWithout = named.apiKeyEnv === undefined && url !== row.baseUrl;
  if (keyEnv !== undefined && apiKey === undefined && !mayDoWithout) {
    throw new UsageError("E_NO_KEY", `${name} needs a key.`, `Set ${keyEnv}, or use --model offline.`);
  }
  return { ...named, provider, api, baseUrl: url, apiKey, price: named.price ?? row.price };
}

/** The base URL, and the variable it comes from, if it does. */
function serverOf(
  { baseUrl }: NamedModel,
  row: Partial<Provider>,
  environment: Environment,
): { url: string | undefined; variable?: string } {
  if (baseUrl !== undefined) return { url: baseUrl };
  const { variable, read } = row.baseUrlFrom ?? {};
  const value = variable === undefined ? undefined : environment.variable(variable);
  if (variable === undefined || value === undefined || read === undefined) return { url: row.baseUrl };
  return { url: read(value), variable };
}

function noKeyNotice(environment: Environment): string {
  const others = [...providers.keys()].filter((name) => isConfigured(name, environment));
  const hint = others.length === 0 ? "" : ` For a service that is set up, name a model: --model ${others[0]}/<model>.`;
  return `No ANTHROPIC_API_KEY: using the rule-based offline model, which finds definitions, uses and mentions.${hint} More: croft doctor.`;
}

function unknownModel(name: string, models: Wanted["models"]): UsageError {
  const known = [...[...providers.keys()].map((provider) => `${provider}/<model>`), ...models.keys(), "offline"];
  return new UsageError(
    "E_UNKNOWN_MODEL",
    `There is no model ${JSON.stringify(name)}.`,
    `Models: ${known.join(", ")}. The default is ${defaultModel}.`,
  );
}
