/** A stretch of a file: what is code in it, which scopes it has, and what a name is at each place it stands. */

import { anyName, type Construct, matchesOf } from "./constructs.ts";
import { escapeName, type Language } from "./language.ts";
import { type Code, codeOf, maskOf, type Mask } from "./scan.ts";
import { allowedIn, enclosing, innermost, type Scope, scopesOf } from "./scopes.ts";

export type Region = {
  language: Language;
  text: string;
  mask: Mask;
  code: Code;
  /** The number of its first line. */
  firstLine: number;
  /** The offset at which each line starts. */
  lineStarts: readonly number[];
  /** Outermost first; undefined where the lines stand alone and nothing is known around them. */
  scopes: readonly Scope[] | undefined;
};

export type Role =
  | Construct["role"]
  | "import"
  | "re-export"
  | "comment"
  | "string"
  | "call"
  | "mention"
  /** Where nothing is read as code. */
  | "text";

/** What a name is at one place. `construct` is set where its role is that of a construct. */
export type Occurrence = {
  role: Role;
  line: number;
  construct: Construct | undefined;
  /** What it stands in: a function before a type before a value. */
  inside: Scope | undefined;
};

/** Reads consecutive lines of a file. `alone`: they are a snippet, with unknown lines around them. */
export function regionOf(
  lines: readonly string[],
  language: Language,
  at: { firstLine: number; alone?: boolean | undefined },
): Region {
  const text = lines.join("\n");
  const mask = at.alone && goesOn(text, language) ? "/".repeat(text.length) : maskOf(text, language);
  const code = codeOf(text, mask);
  const lineStarts: number[] = [0];
  for (const line of lines) lineStarts.push((lineStarts.at(-1) ?? 0) + line.length + 1);
  const scopes = at.alone ? undefined : scopesOf(code, language);
  return { language, text, mask, code, firstLine: at.firstLine, lineStarts, scopes };
}

/** Whether a line that stands alone looks like the middle of a comment. */
function goesOn(line: string, language: Language): boolean {
  return language.quoted.some(
    (quoted) => quoted.goesOn !== undefined && new RegExp(`^\\s*${quoted.goesOn}`).test(line),
  );
}

/** Every place where a name stands in a region, in order. */
export function occurrencesOf(region: Region, name: string): Occurrence[] {
  const { code, language, mask, scopes } = region;
  const defined = new Map(definedIn(region, escapeName(name)).map((construct) => [construct.nameAt, construct]));
  const imports = spansOf(code.text, language.imports);
  const reexports = spansOf(code.text, language.reexports);

  function roleAt(offset: number): Role {
    if (mask[offset] === "/") return "comment";
    if (reexports.some((span) => span.start <= offset && offset < span.end)) return "re-export";
    if (imports.some((span) => span.start <= offset && offset < span.end)) return "import";
    if (mask[offset] === '"') return "string";
    return defined.get(offset)?.role ?? (isCall(region, offset, name) ? "call" : "mention");
  }

  /** A value on one line with its name holds nothing: `const a = f()` is where f is called, not what calls it. */
  function insideAt(offset: number): Scope | undefined {
    const scope = scopes && enclosing(scopes, offset);
    const isLine = scope?.scope === "other" && lineAt(region, scope.nameAt) === lineAt(region, offset);
    return isLine ? undefined : scope;
  }

  return Array.from(region.text.matchAll(wholeName(name, language)), ({ index }) => {
    const role = roleAt(index);
    const construct = defined.get(index);
    return {
      role,
      line: lineAt(region, index),
      construct: construct?.role === role ? construct : undefined,
      inside: insideAt(index),
    };
  });
}

/** What a region defines outside functions, in order. */
export function outlineOf(region: Region): Construct[] {
  const scopes = region.scopes ?? [];
  return definedIn(region, anyName)
    .filter(
      ({ role, start }) =>
        (role === "definition" || role === "declaration") && enclosing(scopes, start - 1)?.scope !== "function",
    )
    .toSorted((a, b) => a.nameAt - b.nameAt);
}

/** The number of the line that holds an offset. */
export function lineAt(region: Region, offset: number): number {
  return region.firstLine + region.lineStarts.findLastIndex((start) => start <= offset);
}

/** Whether a line could define a name, judged by itself: the reason to read the file around it. */
export function mayDefine(line: string, language: Language, name: string): boolean {
  if ([...language.imports, ...language.reexports].some((pattern) => new RegExp(pattern, "mu").test(line)))
    return false;
  return definingPatterns(language, escapeName(name)).some((pattern) => new RegExp(pattern, "mu").test(line));
}

/** What lines that may define a name (a pattern) look like: patterns for one line each, ripgrep reads them too. */
export function definingPatterns(language: Language, name: string): string[] {
  return language.rules
    .filter(({ pattern, role }) => pattern.includes("NAME") && role === undefined)
    .map(({ pattern, after }) => pattern.replace("NAME", name) + (after === undefined ? "" : noStatement));
}

/** A call looks like the head of a method but for its semicolon. */
const noStatement = String.raw`(?:[^;]*|.*\{.*)$`;

/** The name as a whole, not as part of a longer one. */
export function wholeName(name: string, language: Language | undefined): RegExp {
  const letter = `[\\p{L}\\p{N}_${language?.nameCharacters ?? ""}]`;
  return new RegExp(`(?<!${letter})${escapeName(name)}(?!${letter})`, "gu");
}

/** The constructs of a name (as a pattern); of two rules for one place the first in the table holds. */
function definedIn(region: Region, name: string): Construct[] {
  const found = new Map<number, Construct>();
  for (const rule of region.language.rules) {
    if (!rule.pattern.includes("NAME")) continue;
    for (const construct of matchesOf(region.code, region.language, rule, name)) {
      if (!found.has(construct.nameAt) && isInPlace(region, construct)) found.set(construct.nameAt, construct);
    }
  }
  return [...found.values()];
}

function isInPlace({ code, language, scopes }: Region, construct: Construct): boolean {
  if (scopes !== undefined) return allowedIn(construct.rule, innermost(scopes, construct));
  // A line that stands alone: without indentation it is most likely at the top level, a head with a body tells
  // itself, and what would be a local in some function is one (or a member) where it is indented.
  const { rule, role } = construct;
  return (
    rule.within === undefined ||
    (rule.after !== undefined && role === "definition") ||
    (role === "local" && language.blocks === "braces" && /^\s/.test(code.text)) ||
    (!/^\s/.test(code.text) && allowedIn(rule, undefined))
  );
}

function isCall({ code, language }: Region, offset: number, name: string): boolean {
  const after = new RegExp(language.calls.join("|"), "uy");
  after.lastIndex = offset + name.length;
  if (after.test(code.text)) return true;
  if (language.callPrefixes.length === 0) return false;
  const before = new RegExp(`(?:${language.callPrefixes.join("|")})$`, "u");
  return before.test(code.text.slice(code.text.lastIndexOf("\n", offset - 1) + 1, offset));
}

type Span = { start: number; end: number };

function spansOf(code: string, patterns: readonly string[]): Span[] {
  return patterns.flatMap((pattern) =>
    Array.from(code.matchAll(new RegExp(pattern, "gmu")), (match) => ({
      start: match.index,
      end: match.index + match[0].length,
    })),
  );
}
