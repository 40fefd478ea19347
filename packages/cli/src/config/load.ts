/** The settings of a run in a project: defaults, the user's file, the project's, environment, flags; the later wins. */

import { isTrusted } from "./consent.ts";
import { divide } from "./divide.ts";
import type { Environment } from "./environment.ts";
import { readProjectConfig, readUserConfig, userConfigPath } from "./file.ts";
import { rowsOf } from "./rows.ts";
import { merge, type Layer, type Settings } from "./settings.ts";
import { shortened } from "./shortened.ts";

/** What only the consent of the user gives a project, and the hash of the file that consent is bound to. */
export type Wish = Layer & { hash: string; trusted: boolean };
export type Loaded = {
  settings: Settings;
  /** Undefined where the project asks for no more than it may have. */
  wish: Wish | undefined;
};

export type LoadOptions = {
  /** Undefined: there is no project, or its file is to be left out. */
  root: string | undefined;
  environment: Environment;
  /** From the command line. */
  flags?: Layer | undefined;
};

/** Reads both files. Throws UsageError E_CONFIG for one that cannot be taken as it is. */
export async function loadSettings({ root, environment, flags }: LoadOptions): Promise<Loaded> {
  const user = await userLayer(environment);
  const { narrowing, wish } = root === undefined ? {} : await projectParts(root, user, environment);
  const layers = [user, narrowing, wish?.trusted === true ? wish : undefined, variables(environment), flags];
  return { settings: merge(layers.filter((layer) => layer !== undefined)), wish };
}

/** What to tell a person whose project asks for more than it gets; undefined if there is nothing to tell. */
export function noticeOf(wish: Wish | undefined): string | undefined {
  if (wish === undefined || wish.trusted) return undefined;
  const keys = rowsOf(wish).map(({ key }) => key);
  return `.croft/config.jsonc also sets ${keys.join(", ")}, which a project may not without your consent: ignored. See croft config trust.`;
}

async function userLayer({ configHome, home }: Environment): Promise<Layer | undefined> {
  const path = userConfigPath(configHome);
  return path === undefined ? undefined : readUserConfig(path, shortened(path, home));
}

async function projectParts(
  root: string,
  user: Layer | undefined,
  { stateHome }: Environment,
): Promise<{ narrowing?: Layer; wish?: Wish }> {
  const file = await readProjectConfig(root);
  if (file === undefined) return {};
  const { narrowing, widening } = divide(file.config, merge(user === undefined ? [] : [user]));
  const wish = { ...file, config: widening, trusted: isTrusted(stateHome, root, file.hash) };
  return { narrowing: { ...file, config: narrowing }, ...(Object.keys(widening).length > 0 && { wish }) };
}

/** What the environment sets by itself; keys and servers belong to the providers. */
function variables({ variable }: Environment): Layer {
  const model = variable("CROFT_MODEL");
  return { config: model === undefined ? {} : { model }, from: () => "CROFT_MODEL" };
}
