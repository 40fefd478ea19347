/** What stands in what: the functions, types and values of a text that contain others. */

import { anyName, type Construct, matchesOf } from "./constructs.ts";
import type { Language, Rule } from "./language.ts";
import type { Code } from "./scan.ts";

export type Scope = Construct & { parent: Scope | undefined };

/** All scopes of a text by their start. What its rule does not allow where it stands is no scope. */
export function scopesOf(code: Code, language: Language): Scope[] {
  const candidates = language.rules
    .filter((rule) => rule.scope !== undefined)
    .flatMap((rule) => Array.from(matchesOf(code, language, rule, anyName)))
    .filter((found) => found.end > found.nameAt + found.name.length)
    .concat(language.blocks === "indent" ? bracketsIn(code) : [])
    // The sort is stable: of two rules for one place, the first in the table comes first.
    .toSorted((a, b) => a.start - b.start || b.end - a.end);
  const scopes: Scope[] = [];
  const taken = new Set<number>();
  for (const candidate of candidates) {
    const parent = innermost(scopes, candidate);
    if (taken.has(candidate.nameAt) || !allowedIn(candidate.rule, parent)) continue;
    taken.add(candidate.nameAt);
    scopes.push(Object.assign(candidate, { parent }));
  }
  return scopes;
}

/** Whether a rule may hold directly inside a scope (undefined: at the top level). */
export function allowedIn(rule: Rule, scope: Construct | undefined): boolean {
  return rule.within === undefined || rule.within.includes(scope?.kind ?? "file");
}

/** The smallest scope around a construct, other than itself. */
export function innermost(scopes: readonly Scope[], { nameAt }: Construct): Scope | undefined {
  return around(scopes, nameAt).find((scope) => scope.nameAt !== nameAt);
}

/** What an offset is said to stand in: the innermost function, else the innermost type, else a value with a name. */
export function enclosing(scopes: readonly Scope[], offset: number): Scope | undefined {
  const found = around(scopes, offset);
  return (
    found.find(({ scope }) => scope === "function") ??
    found.find(({ scope }) => scope === "type") ??
    found.find(({ name }) => name !== "")
  );
}

/** The name of the type that a construct is a member of, or "". */
export function ownerOf(scopes: readonly Scope[], construct: Construct): string {
  if (construct.owner !== undefined) return construct.owner;
  const type = around(scopes, construct.nameAt).find(
    ({ scope, start, nameAt }) => scope === "type" && nameAt !== construct.nameAt && start < construct.start,
  );
  return type?.name || type?.owner || "";
}

/** The scopes around an offset, the smallest first: the last that starts before it, and those that contain that one. */
function around(scopes: readonly Scope[], offset: number): Scope[] {
  let low = 0;
  let high = scopes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((scopes[middle]?.start ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  const found: Scope[] = [];
  for (let scope = scopes[low - 1]; scope !== undefined; scope = scope.parent) {
    if (offset < scope.end) found.push(scope);
  }
  return found;
}

/** Brackets over several lines: what stands in them is indented for looks only. */
function bracketsIn({ text, closes }: Code): Construct[] {
  const rule: Rule = { kind: "brackets", pattern: "", scope: "other" };
  const found: Construct[] = [];
  for (const [start, end] of closes) {
    const lineBreak = text.indexOf("\n", start);
    if (lineBreak === -1 || lineBreak > end) continue;
    const at = { start, nameAt: start, end };
    found.push({ rule, kind: rule.kind, scope: rule.scope, role: "definition", name: "", owner: undefined, ...at });
  }
  return found;
}
