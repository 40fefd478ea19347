/** The settings of a run in a project: defaults, the user's file, the project's, environment, flags; the later wins. */

import { isTrusted } from "./consent.ts";
import { divide } from "./divide.ts";
import type { Environment } from "./environment.ts";
import { readProjectConfig, readUserConfig, userConfigPath, type ConfigFile } from "./file.ts";
import { rowsOf } from "./rows.ts";
import { merge, type Layer, type Settings } from "./settings.ts";

/** What only the consent of the user gives a project, and the hash of the file that consent is bound to. */
export type Wish = Layer & { hash: string; trusted: boolean };
export type Loaded = {
  settings: Settings;
  /** Undefined where the project asks for no more than it may have. */
  wish: Wish | undefined;
};

export type LoadOptions = {
  root: string;
  environment: Environment;
  /** From the command line. */
  flags?: Layer | undefined;
  /** false: as if the project had no file. */
  project?: boolean | undefined;
};

/** Reads both files. Throws UsageError E_CONFIG for one that cannot be taken as it is. */
export async function loadSettings({ root, environment, flags, project = true }: LoadOptions): Promise<Loaded> {
  const user = await userLayers(environment);
  const file = project ? await readProjectConfig(root) : undefined;
  const { narrowing, wish } = projectParts(file, root, user, environment);
  const layers = [...user, ...narrowing, ...(wish?.trusted === true ? [wish] : []), variables(environment)];
  return { settings: merge(flags === undefined ? layers : [...layers, flags]), wish };
}

/** What to tell a person whose project asks for more than it gets; undefined if there is nothing to tell. */
export function noticeOf(wish: Wish | undefined): string | undefined {
  if (wish === undefined || wish.trusted) return undefined;
  const keys = rowsOf(wish).map(({ key }) => key);
  return `.croft/config.jsonc also sets ${keys.join(", ")}, which a project may not without your consent: ignored. See croft config trust.`;
}

async function userLayers(environment: Environment): Promise<Layer[]> {
  const path = userConfigPath(environment.configHome);
  const file = path === undefined ? undefined : await readUserConfig(path, shortened(path, environment.home));
  return file === undefined ? [] : [file];
}

function projectParts(
  file: ConfigFile | undefined,
  root: string,
  user: readonly Layer[],
  { stateHome }: Environment,
): { narrowing: Layer[]; wish: Wish | undefined } {
  if (file === undefined) return { narrowing: [], wish: undefined };
  const { narrowing, widening } = divide(file.config, merge(user));
  const wished = Object.keys(widening).length > 0;
  const wish = wished ? { ...file, config: widening, trusted: isTrusted(stateHome, root, file.hash) } : undefined;
  return { narrowing: [{ config: narrowing, from: file.from }], wish };
}

/** What the environment sets by itself; keys and servers belong to the providers. */
function variables({ variable }: Environment): Layer {
  const model = variable("CROFT_MODEL");
  return { config: model === undefined ? {} : { model }, from: () => "CROFT_MODEL" };
}

/** `~/…` below the home folder. */
export function shortened(path: string, home: string | undefined): string {
  return home !== undefined && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
