/** What a configuration file says, as a typed value. */

import type { Price, Service, ToolsetName } from "@croft/harness";

export type Config = {
  $schema?: string | undefined;
  /** provider/model, offline, or a name from `models`. */
  model?: string | undefined;
  models?: Readonly<Record<string, NamedModel>> | undefined;
  budget?: Limits | undefined;
  /** Globs as in an ignore file, relative to the project. */
  policy?: { allow?: readonly string[] | undefined; deny?: readonly string[] | undefined } | undefined;
  /** Commands, each as a program with the words it begins with. */
  commands?: CommandLists | undefined;
  /** What a model works with. */
  tools?: ToolsetName | undefined;
  /** Whether memory files are loaded. */
  memory?: boolean | undefined;
  /** The command that checks the project; false: it is not checked. */
  verify?: boolean | string | undefined;
  /** Whether secrets in text are hidden. */
  secrets?: boolean | undefined;
  /** Whether traces are kept, or in which folder. */
  trace?: boolean | string | undefined;
  /** What is heard when a long turn of a conversation ends. */
  notify?: Notify | undefined;
};

export type Notify = "off" | "bell" | "osc9";

export type CommandLists = {
  allow?: readonly string[] | undefined;
  ask?: readonly string[] | undefined;
  deny?: readonly string[] | undefined;
};

/** A provider that croft knows, or an API and where it is served. */
export type NamedModel = {
  provider?: string | undefined;
  api?: Service["api"] | undefined;
  /** As the provider names it. */
  model: string;
  baseUrl?: string | undefined;
  /** The variable that holds the key, never the key. */
  apiKeyEnv?: string | undefined;
  context?: number | undefined;
  output?: number | undefined;
  price?: Price | undefined;
  capabilities?: Capabilities | undefined;
};

/** Those of both adapters; the schema lets through what the model's API has. */
export type Capabilities = {
  betas?: boolean;
  caching?: boolean;
  thinking?: boolean;
  definedTools?: boolean;
  limit?: "max_tokens" | "max_completion_tokens";
  images?: boolean;
  usage?: boolean;
  reasoning?: boolean;
};

/** Of a run. */
export type Limits = {
  turns?: number | undefined;
  tokens?: number | undefined;
  dollars?: number | undefined;
  seconds?: number | undefined;
};
