/** The rules of one ignore file (.gitignore, .ignore, info/exclude), read as git reads them. */

import { compileGlob, type Glob } from "../../policy/glob.ts";

type Rule = { readonly glob: Glob; readonly ignored: boolean };
export type IgnoreRules = readonly Rule[];

/** Malformed lines match nothing, as in git. */
export function parseIgnoreFile(text: string): IgnoreRules {
  const rules: Rule[] = [];
  for (const line of text.replace(/^\ufeff/u, "").split("\n")) {
    if (line.startsWith("#")) continue;
    const negated = line.startsWith("!");
    const glob = compileGlob(withoutTrailingSpaces(line.replace(/\r$/u, "").slice(negated ? 1 : 0)));
    if (glob !== undefined) rules.push({ glob, ignored: !negated });
  }
  return rules;
}

/** An entry by the names that lead to it. */
export type Named = { names: readonly string[]; isFolder: boolean };

/** What the last matching rule says of an entry, its names from the file's folder on; undefined if none matches. */
export function judgeIgnored(rules: IgnoreRules, { names, isFolder }: Named): boolean | undefined {
  return rules.findLast(({ glob }) => (isFolder || !glob.foldersOnly) && glob.matches(names))?.ignored;
}

/** Spaces at the end do not count unless a backslash stands before them. */
function withoutTrailingSpaces(pattern: string): string {
  let end = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    if (pattern[at] === " ") continue;
    if (pattern[at] === "\\") at += 1;
    end = at + 1;
  }
  return pattern.slice(0, end);
}
