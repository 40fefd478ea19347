/** The glob a caller narrows a listing with: as in ignore files, and `{a,b}` for alternatives. */

import { Failure } from "../../error.ts";
import { compileGlob } from "../../policy/glob.ts";
import { quoted } from "../text/show-path.ts";

/** `names`: the parts of a path relative to the listed folder. */
export type PathFilter = (names: readonly string[], isFolder: boolean) => boolean;

const maxLength = 1000;
const maxAlternatives = 1000;

/** What a listing or a search is narrowed to: all without a glob. Throws as `globFilter`. */
export function wantedBy({ glob, iglob }: { glob?: string | undefined; iglob?: string | undefined }): PathFilter {
  const exact = glob === undefined ? undefined : globFilter(glob);
  const folded = iglob === undefined ? undefined : globFilter(iglob.toLowerCase());
  if (exact === undefined && folded === undefined) return () => true;
  return (names, isFolder) =>
    exact?.(names, isFolder) === true ||
    folded?.(
      names.map((name) => name.toLowerCase()),
      isFolder,
    ) === true;
}

/** Throws E_BAD_GLOB for one that is absolute, climbs, excludes ("!"), or cannot be read. */
function globFilter(glob: string): PathFilter {
  if (glob.length > maxLength) throw badGlob(glob, `has more than ${maxLength} characters`);
  if (/^[/\\~]|^[a-z]:/iu.test(glob)) throw badGlob(glob, "is not relative");
  if (glob.startsWith("!")) throw badGlob(glob, "says what to leave out");
  const globs = alternatives(glob).map((one) => {
    if (one.split("/").includes("..")) throw badGlob(glob, 'climbs with ".."');
    const compiled = compileGlob(one.replace(/^(?:\.\/+)+/u, ""));
    if (compiled === undefined) throw badGlob(glob, "cannot be read");
    return compiled;
  });
  return (names, isFolder) => globs.some((one) => (isFolder || !one.foldersOnly) && one.matches(names));
}

function badGlob(glob: string, problem: string): Failure {
  return new Failure("E_BAD_GLOB", `The glob ${quoted(glob)} ${problem}.`, {
    remedy: "Say what to include, relative to the listed folder, such as src/**/*.{ts,tsx}.",
  });
}

/** Braces written out, from the left; those without an end stand for themselves. */
function alternatives(glob: string): string[] {
  const found: string[] = [];
  const open = [glob];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const braces = firstBraces(one);
    if (braces === undefined) found.push(one);
    else open.push(...braces);
    if (found.length + open.length > maxAlternatives)
      throw badGlob(glob, `has more than ${maxAlternatives} alternatives`);
  }
  return found;
}

/** One text for each alternative of the first pair of braces; undefined if there is none. */
function firstBraces(glob: string): string[] | undefined {
  const cuts: number[] = [];
  let depth = 0;
  for (let at = 0; at < glob.length; at += 1) {
    const character = glob.charAt(at);
    if (character === "\\") at += 1;
    if (character === "{") depth += 1;
    if (depth === 1 && "{,}".includes(character)) cuts.push(at);
    if (character === "}" && depth > 0) depth -= 1;
    if (cuts.length === 0 || depth > 0) continue;
    const [head, tail] = [glob.slice(0, cuts[0]), glob.slice(at + 1)];
    return cuts.slice(1).map((cut, index) => head + glob.slice((cuts[index] ?? 0) + 1, cut) + tail);
  }
  return undefined;
}
