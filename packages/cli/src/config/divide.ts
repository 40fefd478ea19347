/** What a project may decide for whoever works in it: less, always; more, only with their consent. */

import type { Config, Limits } from "./config.ts";
import type { Settings } from "./settings.ts";

const limits = ["turns", "tokens", "dollars", "seconds"] as const satisfies readonly (keyof Limits)[];

/**
 * Splits a project's file. `narrowing`: what forbids, and limits that are no higher than the present ones. `widening`:
 * all else, for it decides where code and keys go, what may be read, what is spent, or what is kept.
 */
export function divide(config: Config, present: Settings): { narrowing: Config; widening: Config } {
  const { $schema: _, budget = {}, policy: { allow = [], deny = [] } = {}, commands = {}, ...others } = config;
  const { memory, secrets, ...rest } = others;
  const { allow: freed = [], ...restricted } = commands;
  const isHigher = (name: keyof Limits): boolean =>
    (budget[name] ?? 0) > (present.budget[name]?.value ?? Number.POSITIVE_INFINITY);
  const some = (names: readonly (keyof Limits)[]): Limits | undefined =>
    names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, budget[name]]));
  const set = limits.filter((name) => budget[name] !== undefined);
  return {
    narrowing: withoutGaps({
      budget: some(set.filter((name) => !isHigher(name))),
      policy: deny.length > 0 ? { deny } : undefined,
      commands: Object.keys(restricted).length > 0 ? restricted : undefined,
      memory: memory === true && !present.memory.value ? undefined : memory,
      secrets: secrets === true ? secrets : undefined,
    }),
    widening: withoutGaps({
      ...rest,
      budget: some(set.filter(isHigher)),
      policy: allow.length > 0 ? { allow } : undefined,
      commands: freed.length > 0 ? { allow: freed } : undefined,
      memory: memory === true && !present.memory.value ? memory : undefined,
      secrets: secrets === false ? secrets : undefined,
    }),
  };
}

function withoutGaps(config: Config): Config {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
}
