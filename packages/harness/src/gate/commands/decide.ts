/** Which of the rules that concern a command decides about it. */

import type { Word } from "../shell/word.ts";
import { allows, baseName, restricts } from "./match.ts";
import { skipGlobalOptions } from "./options.ts";
import { isOption, ruleText, type CommandRule } from "./rule.ts";

export type Decided = { decision: CommandRule["decision"]; rule: string; by: CommandRule };

/** From the strictest on. */
export const strictestFirst = ["deny", "ask", "unlisted", "allow"] as const;

/**
 * A rule that denies decides. Otherwise one that allows gives way to every rule that restricts and is as specific or
 * more: has as many words or more, or an option the other does not name. Between the user's rules and the defaults: the
 * user's restrict any default, and the user's allow wins a tie. Undefined where no rule concerns the command.
 */
export function decide(program: string, words: readonly Word[], rules: readonly CommandRule[]): Decided | undefined {
  const allowing = rules.filter((rule) => rule.decision === "allow" && allows(rule, program, words));
  const standing = [...restricting(program, words, rules), ...globalOption(program, words)].filter(
    ({ by }) => !allowing.some((allow) => overrides(allow, by)),
  );
  for (const decision of strictestFirst) {
    const found = standing.find((each) => each.decision === decision);
    if (found !== undefined) return found;
  }
  const [by] = allowing.toSorted((a, b) => b.words.length - a.words.length);
  return by === undefined ? undefined : { decision: "allow", rule: `the rule \`${ruleText(by)}\` (allow)`, by };
}

function restricting(program: string, words: readonly Word[], rules: readonly CommandRule[]): readonly Decided[] {
  return rules.flatMap((by) => {
    if (by.decision === "allow") return [];
    const match = restricts(by, program, words);
    if (match === "no") return [];
    const named = `the rule \`${ruleText(by)}\` (${by.decision})`;
    if (match === "yes") return [{ decision: by.decision, rule: named, by }];
    return [{ decision: by.possibly, rule: `what the shell expands may bring it under ${named}`, by }];
  });
}

/** `git -c alias.x='!sh' x`: what an unknown option before the subcommand does is in no rule about the subcommand. */
function globalOption(program: string, words: readonly Word[]): readonly Decided[] {
  const name = baseName(program);
  const { question } = skipGlobalOptions(name, words);
  if (question === undefined) return [];
  const by: CommandRule = {
    program: name,
    words: [question],
    open: false,
    exact: false,
    decision: "ask",
    possibly: "ask",
    source: "default",
  };
  return [{ decision: "ask", rule: `${name} can run programs by \`${question}\` before its subcommand`, by }];
}

function overrides(allow: CommandRule, restriction: CommandRule): boolean {
  if (restriction.decision === "deny") return false;
  if (restriction.source === "user" && allow.source === "default") return false;
  if (allow.exact && restriction.source === "default") return true;
  const margin = specificity(allow) - specificity(restriction);
  const longer = allow.source === restriction.source ? margin > 0 : margin >= 0;
  return longer && restriction.words.filter(isOption).every((option) => allow.words.includes(option));
}

function specificity({ program, words }: CommandRule): number {
  return program === "*" ? 0 : 1 + words.length;
}
