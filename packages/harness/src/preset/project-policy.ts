/** The policy of working on one project: that of all, and what makes something in this one dangerous to change. */

import { exactly } from "../policy/exactly.ts";
import { codePolicy } from "../policy/presets.ts";
import type { Rule, RulePolicy } from "../policy/rules.ts";
import { filesGitNames } from "../workspace/guard/repository-places.ts";

/**
 * As `codePolicy`, with a question about each file that the project's git is told to run or to obey: `core.hooksPath`,
 * included settings, filters. What git's settings say later changes nothing: they are out of a model's reach. `root`: the
 * folder of the project. Throws E_BAD_RULE.
 */
export function projectPolicy(rules: readonly Rule[] = [], root: string = ""): RulePolicy {
  const globs = root === "" ? [] : filesGitNames(root).map(exactly);
  const named: Rule = { name: "what git is set to run or to obey", globs, access: ["write"], decision: "ask" };
  return codePolicy(globs.length === 0 ? rules : [named, ...rules], root);
}
