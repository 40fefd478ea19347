/** Settings as rows for people and programs: a dotted key, the value, and where it comes from. */

import type { Environment } from "./environment.ts";
import { defaultModelOf } from "./model.ts";
import { providers } from "./providers.ts";
import type { Layer, Setting, Settings } from "./settings.ts";

export type Row = { key: string; value: unknown; from: string };

/** The rows of one place. */
export function rowsOf({ config, from }: Layer): Row[] {
  const { $schema: _, models = {}, budget = {}, policy = {}, commands = {}, ...rest } = config;
  const below = (name: string, values: object): Row[] =>
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => ({ key: `${name}.${key}`, value, from: from([name, key]) }));
  return [
    ...Object.entries(rest).map(([key, value]) => ({ key, value, from: from([key]) })),
    ...below("models", models),
    ...below("budget", budget),
    ...below("policy", policy),
    ...below("commands", commands),
  ];
}

/** The rows of what holds in the end. */
export function rowsOfSettings(settings: Settings, environment: Environment): Row[] {
  const { models, budget, allow, deny, commands, tools, memory, verify, secrets, trace, notify } = settings;
  const model = settings.model ?? { value: defaultModelOf(environment), from: "default" };
  const row = (key: string, setting: Setting<unknown> | undefined): Row[] =>
    setting === undefined ? [] : [{ key, ...setting }];
  return [
    ...row("model", model),
    ...[...models].flatMap(([name, setting]) => row(`models.${name}`, setting)),
    ...Object.entries(budget).flatMap(([name, setting]) => row(`budget.${name}`, setting)),
    ...allow.flatMap((glob) => row("policy.allow", glob)),
    ...deny.flatMap((glob) => row("policy.deny", glob)),
    ...Object.entries(commands).flatMap(([list, rules]) => rules.flatMap((rule) => row(`commands.${list}`, rule))),
    ...row("tools", tools),
    ...row("memory", memory),
    ...row("verify", verify),
    ...row("secrets", secrets),
    ...row("trace", trace),
    ...row("notify", notify),
  ];
}

/** The variables that models listen to: of a key only whether it is set, of a server no more than its address. */
export function rowsOfEnvironment({ models }: Pick<Settings, "models">, { variable }: Environment): Row[] {
  const rows = [...providers.values()];
  const keys = [...rows, ...[...models.values()].map(({ value }) => value)].flatMap(({ apiKeyEnv = [] }) => apiKeyEnv);
  const servers = rows.flatMap(({ baseUrlFrom }) => baseUrlFrom?.variable ?? []);
  const from = "environment";
  return [
    ...[...new Set(keys)].map((key) => ({ key, value: variable(key) === undefined ? "not set" : "set", from })),
    ...servers.map((key) => ({ key, value: addressOf(variable(key)), from })),
  ];
}

/** Without what could be a secret: a user, a password, a query. */
function addressOf(url: string | undefined): string {
  if (url === undefined) return "not set";
  return url.replace(/^([a-z]+:\/\/)?[^/@]*@/i, "$1").replace(/[?#].*$/s, "");
}
