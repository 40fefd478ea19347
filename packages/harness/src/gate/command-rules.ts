/** The policy about commands that is made of rules: prefixes of commands that are allowed, asked about or denied. */

import { defaultRules } from "./commands/defaults.ts";
import { strictestFirst } from "./commands/decide.ts";
import { examine, type CommandPart, type Examined } from "./commands/examine.ts";
import { userRules, type CommandRules } from "./commands/rule.ts";
import type { CommandLine, CommandPolicy, CommandVerdict } from "./command.ts";

export type { CommandPart, CommandRules };

export interface CommandRulePolicy extends CommandPolicy {
  /** Every part that was looked at, an outer command before those within it; the strictest decides. */
  explain(command: CommandLine): readonly CommandPart[];
}

/**
 * The user's rules with the defaults beneath. A rule is a program with the words it begins with, such as `git push`; a
 * `*` at the end is allowed. A rule that denies decides whatever else there is; otherwise the longest rule that fits
 * does, the user's before a default of the same length, and the user's "ask" before every default. Rules that allow
 * hold for the bare name of a program alone, those that restrict for any path to it, behind any wrapper, with any
 * options in between. Throws E_BAD_RULE.
 */
export function commandPolicy(given: CommandRules = {}): CommandRulePolicy {
  const rules = [...userRules(given), ...defaultRules()];
  return {
    judge: (command) => verdictOf(command, examine(command, rules)),
    explain: (command) => examine(command, rules).map(({ text, decision, rule }) => ({ text, decision, rule })),
  };
}

function verdictOf(command: CommandLine, parts: readonly Examined[]): CommandVerdict {
  const decision = strictestFirst.find((each) => parts.some((part) => part.decision === each)) ?? "ask";
  const part = parts.find((each) => each.decision === decision);
  return { decision, rule: part === undefined ? "" : narrated(part, command), profile: profileOf(parts) };
}

/** "`git push` in `cd . && git push`: the rule `git push` (ask)". */
function narrated({ text, rule }: CommandPart, command: CommandLine): string {
  const whole = typeof command === "string" ? command : command.join(" ");
  const place = text === whole ? `\`${shortened(text)}\`` : `\`${shortened(text)}\` in \`${shortened(whole)}\``;
  return `${place}: ${rule}`;
}

const maxShown = 100;

function shortened(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown - 1)}…` : text;
}

function profileOf(parts: readonly Examined[]): CommandVerdict["profile"] {
  const writes = parts.some(({ git }) => git === "writes");
  return writes && parts.every(({ git }) => git !== undefined) ? "git" : "plain";
}
