/** Rules for a folder that is itself a part of what they name. */

import { foldName } from "./fold.ts";
import type { Rule } from "./rules.ts";

const anywhere = "**/";

/**
 * Globs are about paths below the root: in a project whose folder is `/home/ann/.config`, no path begins with `.config`.
 * There a glob for `.config/croft` at any depth gets `/croft` beside it. `root`: the real path of the project.
 */
export function rootedAt(root: string, rules: readonly Rule[]): Rule[] {
  const above = root.split(/[\\/]/).map(foldName);
  return rules.map((rule) => ({ ...rule, globs: rule.globs.flatMap((glob) => [glob, ...remainders(glob, above)]) }));
}

/** What is left of a glob behind names that the root ends with. */
function remainders(glob: string, above: readonly string[]): string[] {
  if (!glob.startsWith(anywhere)) return [];
  const names = glob.slice(anywhere.length).split("/");
  return names.flatMap((_, count) => {
    const isAbove = count > 0 && names.slice(0, count).every((name, at) => above.at(at - count) === foldName(name));
    return isAbove ? [`/${names.slice(count).join("/")}`] : [];
  });
}
