/** One model and where it is served: what its entry says, over its provider's row, over what the environment holds. */

import type { Service } from "@croft/harness";
import { UsageError } from "../usage.ts";
import type { NamedModel } from "./config.ts";
import type { Environment } from "./environment.ts";
import { providers, type Provider } from "./providers.ts";

/** All there is to know about a model before it is made. `keyFrom`: the variable that holds the key, or would. */
export type Target = Service & NamedModel & { provider: string; keyFrom: string | undefined };

/** `name` is what the person calls it. Throws UsageError: E_NO_KEY, E_BASE_URL. */
export function targetOf(name: string, named: NamedModel, environment: Environment): Target {
  const provider = named.provider ?? name;
  const row: Partial<Provider> = providers.get(provider) ?? {};
  const api = named.api ?? row.api;
  const baseUrl = named.baseUrl ?? serverIn(environment, row) ?? row.baseUrl;
  if (api === undefined || baseUrl === undefined) throw new Error(`the schema let ${name} pass`);
  // A key goes to the server it belongs to: not to another one that the entry names, unless it names the key too.
  const variable = named.apiKeyEnv ?? (named.baseUrl === undefined ? row.apiKeyEnv : undefined);
  const apiKey = variable === undefined ? undefined : environment.variable(variable);
  const mayDoWithout = named.apiKeyEnv === undefined && baseUrl !== row.baseUrl;
  if (variable !== undefined && apiKey === undefined && !mayDoWithout) {
    throw new UsageError("E_NO_KEY", `${name} needs a key.`, `Set ${variable}, or use --model offline.`);
  }
  return { ...named, provider, api, baseUrl, apiKey, keyFrom: variable, price: named.price ?? row.price };
}

/** The server that the environment puts in the place of the provider's own. */
function serverIn(environment: Environment, { baseUrlFrom, apiKeyEnv }: Partial<Provider>): string | undefined {
  const value = baseUrlFrom === undefined ? undefined : environment.variable(baseUrlFrom.variable);
  if (baseUrlFrom === undefined || value === undefined) return undefined;
  const { variable } = baseUrlFrom;
  const baseUrl = baseUrlFrom.read(value);
  const { protocol = "", username = "", password = "" } = URL.parse(baseUrl) ?? {};
  if (username !== "" || password !== "") {
    const told = `${variable} holds a user name or a password, which no request can be sent with.`;
    const instead = apiKeyEnv === undefined ? "" : `, and set ${apiKeyEnv} to what the server wants`;
    throw new UsageError("E_BASE_URL", told, `Take them out of it${instead}.`);
  }
  if (/^https?:$/.test(protocol)) return baseUrl;
  throw new UsageError("E_BASE_URL", `${variable} is no URL: ${value}.`, "Set it to http://… or https://….");
}
