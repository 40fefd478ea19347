/** The settings of a run, from several places, the later one winning; each knows where it comes from. */

import { askBudget, type CommandRules, type Rule, type RunBudget, type ToolsetName } from "@croft/harness";
import type { Path } from "./jsonc.ts";
import type { CommandLists, Config, NamedModel, Notify } from "./config.ts";

/** One place that settings come from. `from` says it of the setting at a path, for people. */
export type Layer = { config: Config; from: (path: Path) => string };
/** Where options come from. */
export const commandLine = "the command line";

export type Setting<Value> = { value: Value; from: string };

export type Settings = {
  /** Undefined: what the keys that are set suggest. */
  model: Setting<string> | undefined;
  models: ReadonlyMap<string, Setting<NamedModel>>;
  budget: {
    turns: Setting<number>;
    tokens: Setting<number>;
    dollars: Setting<number> | undefined;
    seconds: Setting<number>;
  };
  /** Globs of files; `deny` wins. */
  allow: readonly Setting<string>[];
  deny: readonly Setting<string>[];
  /** Commands; the strictest list that names one wins. */
  commands: Readonly<Record<keyof CommandLists, readonly Setting<string>[]>>;
  tools: Setting<ToolsetName>;
  memory: Setting<boolean>;
  verify: Setting<boolean | string>;
  secrets: Setting<boolean>;
  trace: Setting<boolean | string>;
  notify: Setting<Notify>;
};

/**
 * The settings that the layers come to, from the first to the last. Lists add up; all else is replaced. Where
 * none says how much a run may use, `usual` does.
 */
export function merge(layers: readonly Layer[], usual: RunBudget = askBudget): Settings {
  const last = <Value>(path: Path, read: (config: Config) => Value | undefined): Setting<Value> | undefined => {
    for (const { config, from } of layers.toReversed()) {
      const value = read(config);
      if (value !== undefined) return { value, from: from(path) };
    }
    return undefined;
  };
  const all = (list: "allow" | "deny"): Setting<string>[] =>
    layers.flatMap(({ config, from }) =>
      (config.policy?.[list] ?? []).map((value, at) => ({ value, from: from(["policy", list, at]) })),
    );
  const commands = (list: keyof CommandLists): Setting<string>[] =>
    layers.flatMap(({ config, from }) =>
      (config.commands?.[list] ?? []).map((value, at) => ({ value, from: from(["commands", list, at]) })),
    );
  return {
    model: last(["model"], ({ model }) => model),
    models: new Map(
      layers.flatMap(({ config, from }) =>
        Object.entries(config.models ?? {}).map(([name, value]) => [name, { value, from: from(["models", name]) }]),
      ),
    ),
    budget: {
      turns: last(["budget", "turns"], ({ budget }) => budget?.turns) ?? byDefault(usual.steps),
      tokens: last(["budget", "tokens"], ({ budget }) => budget?.tokens) ?? byDefault(usual.tokens),
      dollars:
        last(["budget", "dollars"], ({ budget }) => budget?.dollars) ??
        (usual.dollars === undefined ? undefined : byDefault(usual.dollars)),
      seconds: last(["budget", "seconds"], ({ budget }) => budget?.seconds) ?? byDefault(usual.ms / 1000),
    },
    allow: all("allow"),
    deny: all("deny"),
    commands: { allow: commands("allow"), ask: commands("ask"), deny: commands("deny") },
    tools: last(["tools"], ({ tools }) => tools) ?? byDefault("code"),
    memory: last(["memory"], ({ memory }) => memory) ?? byDefault(true),
    verify: last(["verify"], ({ verify }) => verify) ?? byDefault(true),
    secrets: last(["secrets"], ({ secrets }) => secrets) ?? byDefault(true),
    trace: last(["trace"], ({ trace }) => trace) ?? byDefault(true),
    notify: last(["notify"], ({ notify }) => notify) ?? byDefault("off"),
  };
}

function byDefault<Value>(value: Value): Setting<Value> {
  return { value, from: "default" };
}

/**
 * For the policy: every deny stands behind every allow, so a project cannot undo what its user forbids. What may not be
 * read may not be written either; what may be read is still a question where writing it is one.
 */
export function rulesOf({ allow, deny }: Pick<Settings, "allow" | "deny">): Rule[] {
  const rule = (decision: "allow" | "deny", { value, from }: Setting<string>): Rule => ({
    name: `policy.${decision} in ${from}`,
    globs: [value],
    access: decision === "deny" ? ["read", "write"] : ["read"],
    decision,
  });
  return [...allow.map((glob) => rule("allow", glob)), ...deny.map((glob) => rule("deny", glob))];
}

/** For the policy about commands. */
export function commandRulesOf({ commands: { allow, ask, deny } }: Pick<Settings, "commands">): CommandRules {
  const texts = (list: readonly Setting<string>[]): string[] => list.map(({ value }) => value);
  return { allow: texts(allow), ask: texts(ask), deny: texts(deny) };
}
