/** A policy made of rules: data, so that an enclosure for commands can be derived from the very same ones. */

import { Failure } from "../error.ts";
import { compileGlob, type Glob } from "./glob.ts";
import type { Access, Decision, Policy } from "./policy.ts";
import { foldCase, foldName } from "./fold.ts";

/** What holds for the paths that some globs name; of several rules the last that fits decides. */
export type Rule = {
  /** What it protects or permits, as a phrase a person or a model can read: "key files". */
  readonly name: string;
  /**
   * As in an ignore file, "!" aside: a name without a slash stands at any depth, and a folder stands for all below it.
   */
  readonly globs: readonly string[];
  /** A rule for reading is a rule for listing too, so that what may not be read is not shown to exist either. */
  readonly access: readonly Access[];
  readonly decision: Decision;
};

export interface RulePolicy extends Policy {
  readonly rules: readonly Rule[];
}

/**
 * The last rule that matches a path decides; where none does, the answer is deny. Names are compared as the most
 * lenient file system would: letter case, Unicode form, invisible characters, trailing dots and NTFS stream names are
 * ignored. Throws E_BAD_RULE for a glob that can never match.
 */
export function policyFrom(rules: readonly Rule[]): RulePolicy {
  const latestFirst = rules
    .map((rule) => ({ ...rule, globs: rule.globs.map((glob) => compile(rule, glob)) }))
    .toReversed();
  return {
    rules,
    judge(path, access) {
      const names = path === "." || path === "" ? [] : path.split("/").map(foldName);
      for (const { name, globs, access: covered, decision } of latestFirst) {
        const concerns = covered.includes(access) || (access === "list" && covered.includes("read"));
        if (concerns && globs.some((glob) => glob.covers(names))) return { decision, rule: name };
      }
      return { decision: "deny", rule: "whatever no rule permits" };
    },
  };
}

function compile(rule: Rule, glob: string): Glob {
  const compiled = compileGlob(foldCase(glob));
  // A path is judged without knowing its kind, so "folders only" could not be honoured.
  if (compiled !== undefined && !compiled.foldersOnly) return compiled;
  throw new Failure("E_BAD_RULE", `The rule "${rule.name}" has a glob that cannot be read: ${glob}`, {
    remedy: "Close every [, end in neither a slash nor a backslash.",
  });
}
