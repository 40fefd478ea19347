/** What stands in what: the functions, types and values of a text that contain others. */

import { anyName, type Construct, matchesOf } from "./constructs.ts";
import type { Language, Rule } from "./language.ts";
import { closeOf } from "./tails.ts";

/** All scopes of a text, outermost first. What its rule does not allow where it stands is no scope. */
export function scopesOf(code: string, language: Language): Construct[] {
  const candidates = language.rules
    .filter((rule) => rule.scope !== undefined)
    .flatMap((rule) => Array.from(matchesOf(code, language, rule, anyName)))
    .filter((found) => found.end > found.nameAt + found.name.length)
    // The sort is stable: of two rules for one place, the first in the table comes first.
    .toSorted((a, b) => a.start - b.start || b.end - a.end);
  const scopes: Construct[] = [];
  const taken = new Set<number>();
  for (const candidate of candidates) {
    if (taken.has(candidate.nameAt) || !allowedIn(candidate.rule, innermost(scopes, candidate))) continue;
    taken.add(candidate.nameAt);
    scopes.push(candidate);
  }
  if (language.blocks === "braces") return scopes;
  return [...scopes, ...bracketsIn(code)].toSorted((a, b) => a.start - b.start);
}

/** Whether a rule may hold directly inside a scope (undefined: at the top level). */
export function allowedIn(rule: Rule, scope: Construct | undefined): boolean {
  return rule.within === undefined || rule.within.includes(scope?.kind ?? "file");
}

/** The smallest scope around a construct, other than itself. */
export function innermost(scopes: readonly Construct[], construct: Construct): Construct | undefined {
  return scopes.findLast(
    (scope) => scope.start <= construct.nameAt && construct.nameAt < scope.end && scope.nameAt !== construct.nameAt,
  );
}

/** What an offset is said to stand in: the innermost function, else the innermost type, else a value with a name. */
export function enclosing(scopes: readonly Construct[], offset: number): Construct | undefined {
  const around = scopes.filter((scope) => scope.start <= offset && offset < scope.end);
  return (
    around.findLast((scope) => scope.scope === "function") ??
    around.findLast((scope) => scope.scope === "type") ??
    around.findLast((scope) => scope.name !== "")
  );
}

/** The name of the type that a construct is a member of, or "". */
export function ownerOf(scopes: readonly Construct[], construct: Construct): string {
  if (construct.owner !== undefined) return construct.owner;
  const type = scopes.findLast(
    (scope) => scope.scope === "type" && scope.start < construct.start && construct.start < scope.end,
  );
  return type?.name || type?.owner || "";
}

/** Brackets where indentation says nothing. */
function bracketsIn(code: string): Construct[] {
  const rule: Rule = { kind: "brackets", pattern: "", scope: "other" };
  const found: Construct[] = [];
  const open = /[([{]/g;
  for (let hit = open.exec(code); hit !== null; hit = open.exec(code)) {
    const end = closeOf(code, hit.index) ?? hit.index + 1;
    open.lastIndex = end;
    const { index: start } = hit;
    const at = { start, nameAt: start, end };
    found.push({ rule, kind: rule.kind, scope: rule.scope, role: "local", name: "", owner: undefined, ...at });
  }
  return found;
}
