/** Where croft keeps what is its own: never where a model could write to it. */

import { realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { exactly, type Rule } from "@croft/harness";
import { UsageError } from "../usage.ts";
import type { Environment } from "./environment.ts";

/**
 * What the user has agreed to, keys, undo: commands of a model could change them, and croft changes them itself while
 * those run. `root`: a real path. Throws UsageError E_STATE.
 */
export function assertApart(root: string, { stateHome, cacheHome }: Environment): void {
  for (const [variable, home] of Object.entries({ XDG_STATE_HOME: stateHome, XDG_CACHE_HOME: cacheHome })) {
    if (home === undefined || within(root, home) === undefined) continue;
    const message = `croft would keep what is its own in ${join(home, "croft")}, within the project.`;
    throw new UsageError("E_STATE", message, `Set ${variable} to a folder outside of ${root}.`);
  }
}

/** For the policy, behind all rules of a user: the configuration may lie in a project, but is not the model's. */
export function ownRules(root: string, { configHome }: Environment): Rule[] {
  const path = configHome === undefined ? undefined : within(root, configHome);
  if (path === undefined) return [];
  return [{ name: "croft's own configuration", globs: [exactly(path)], access: ["write"], decision: "deny" }];
}

/** Of `croft` in a folder, relative to the root; undefined: outside. */
function within(root: string, home: string): string | undefined {
  const path = relative(root, real(join(home, "croft")));
  return path === ".." || path.startsWith("../") ? undefined : path;
}

/** Whatever of it is there yet. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path
      ? path
      : join(real(dirname(path)), path.slice(dirname(path).length).replace(/^\//, ""));
  }
}
