/** Finds what a rule describes in code whose comments and strings are blanked, and how far its body goes. */

import type { Language, Rule } from "./language.ts";
import type { Code } from "./scan.ts";
import { tailOf } from "./tails.ts";

/** What a rule found. Places are offsets into the code; `end` lies behind the body, or behind the name without one. */
export type Construct = {
  rule: Rule;
  kind: string;
  scope: Rule["scope"];
  role: "definition" | NonNullable<Rule["role"]>;
  /** Empty where a rule only opens a scope. */
  name: string;
  owner: string | undefined;
  start: number;
  nameAt: number;
  end: number;
};

/** Any name at all, as the source of a pattern. */
export const anyName = "[\\p{L}_$][\\p{L}\\p{N}_$]*";

/** Every match of one rule for a name (the source of a pattern), whatever it stands in. */
export function* matchesOf(code: Code, language: Language, rule: Rule, name: string): Generator<Construct> {
  const bounded = `(?<name>(?<![\\p{L}\\p{N}_$])(?:${name})(?![\\p{L}\\p{N}_$]))`;
  const pattern = new RegExp(rule.pattern.replace("NAME", bounded), "dgmu");
  for (const match of code.text.matchAll(pattern)) {
    const [nameAt, nameEnd] = match.indices?.groups?.["name"] ?? [match.index, match.index];
    const words = name === anyName ? code.text.slice(match.index, nameEnd) : code.text.slice(match.index, nameAt);
    if (isStatement(words, language, rule)) continue;
    const named = match.groups?.["name"] !== undefined;
    const place = { start: match.index, from: named ? nameEnd : openBracketOf(match) };
    const tail = tailOf(code, language, rule, place);
    if (tail === undefined) continue;
    yield {
      rule,
      kind: tail.kind ?? rule.kind,
      scope: tail.scope ?? rule.scope,
      // A value that is a function makes more of a name than its rule says.
      role: tail.declared ? "declaration" : tail.kind === undefined ? (rule.role ?? "definition") : "definition",
      name: match.groups?.["name"] ?? "",
      owner: match.groups?.["owner"],
      start: match.index,
      nameAt,
      end: tail.end,
    };
  }
}

/** `return name(x)` looks like a typed name to a rule; a word the rule itself does not ask for tells. */
function isStatement(words: string, language: Language, rule: Rule): boolean {
  return words
    .split(/[^\p{L}\p{N}_$]+/u)
    .some((word) => language.statements.includes(word) && !rule.pattern.includes(word));
}

/** Where the bracket is that a pattern without a name ends in, or the end of the match. */
function openBracketOf(match: RegExpExecArray): number {
  const end = match.index + match[0].length;
  return /[([{]$/.test(match[0]) ? end - 1 : end;
}
