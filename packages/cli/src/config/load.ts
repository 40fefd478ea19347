/** The settings of a run in a project: defaults, the user's file, the project's, environment, flags; the later wins. */

import { isTrusted } from "./consent.ts";
import { divide } from "./divide.ts";
import type { RunBudget } from "@croft/harness";
import type { Environment } from "./environment.ts";
import { readProjectConfig, readUserConfig, userConfigPath } from "./file.ts";
import { rowsOf } from "./rows.ts";
import { merge, type Layer, type Settings } from "./settings.ts";
import { shortened } from "./shortened.ts";

/**
 * What only the consent of the user gives a project, and the hash that consent is bound to: of the file and of this,
 * which grows where the user's own limits become lower.
 */
export type Widening = Layer & { hash: string; trusted: boolean };
export type Loaded = {
  settings: Settings;
  /** Undefined where the project asks for no more than it may have. */
  widening: Widening | undefined;
  /** Globs that the project's own file keeps from being read. */
  hidden: readonly string[];
};

export type LoadOptions = {
  /** Undefined: there is no project, or its file is to be left out. */
  root: string | undefined;
  environment: Environment;
  /** From the command line. */
  flags?: Layer | undefined;
  /** What a run may use where nobody says. Default: that of ask. */
  usual?: RunBudget | undefined;
};

/** Reads both files. Throws UsageError E_CONFIG for one that cannot be taken as it is. */
export async function loadSettings({ root, environment, flags, usual }: LoadOptions): Promise<Loaded> {
  const user = await userLayer(environment);
  const { narrowing, widening } = root === undefined ? {} : await projectParts(root, user, environment, usual);
  const layers = [user, narrowing, widening?.trusted === true ? widening : undefined, variables(environment), flags];
  const hidden = narrowing?.config.policy?.deny ?? [];
  return {
    settings: merge(
      layers.filter((layer) => layer !== undefined),
      usual,
    ),
    widening,
    hidden,
  };
}

/** What to tell a person whose project asks for more than it gets; undefined if there is nothing to tell. */
export function noticeOf(widening: Widening | undefined): string | undefined {
  if (widening === undefined || widening.trusted) return undefined;
  const keys = rowsOf(widening).map(({ key }) => key);
  return `.croft/config.jsonc also sets ${keys.join(", ")}, which a project may not without your consent: ignored. See croft config trust.`;
}

/** What to tell a person of whose project the model sees less than there is; undefined if there is nothing to tell. */
export function hiddenNotice({ length }: Loaded["hidden"]): string | undefined {
  if (length === 0) return undefined;
  const globs = length === 1 ? "1 glob" : `${length} globs`;
  return `.croft/config.jsonc hides files from the model (${globs} in policy.deny). See croft config.`;
}

async function userLayer({ configHome, home }: Environment): Promise<Layer | undefined> {
  const path = userConfigPath(configHome);
  return path === undefined ? undefined : readUserConfig(path, shortened(path, home));
}

async function projectParts(
  root: string,
  user: Layer | undefined,
  { stateHome }: Environment,
  usual: RunBudget | undefined,
): Promise<{ narrowing?: Layer; widening?: Widening }> {
  const file = await readProjectConfig(root);
  if (file === undefined) return {};
  const own = user === undefined ? [] : [user];
  const { narrowing } = divide(file.config, merge(own, usual));
  const { widening } = divide(file.config, merge(own)); // consent is one for all commands
  const layer = { ...file, config: narrowing };
  if (Object.keys(widening).length === 0) return { narrowing: layer };
  const { hashOf } = await import("./read.ts"); // which has read the file
  const hash = hashOf(Buffer.from(`${file.hash} ${JSON.stringify(widening)}`));
  const trusted = isTrusted(stateHome, root, hash);
  return { narrowing: layer, widening: { ...file, config: widening, hash, trusted } };
}

/** What the environment sets by itself; keys and servers belong to the providers. */
function variables({ variable }: Environment): Layer {
  const model = variable("CROFT_MODEL");
  return { config: model === undefined ? {} : { model }, from: () => "CROFT_MODEL" };
}
