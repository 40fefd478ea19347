/**
 * Globs as git reads them in ignore files: `*` and `?` stay within a name, `**` between slashes spans folders, `[a-z]`
 * is a set, `\x` is x. A glob without a slash matches a name at any depth, any other starts at the base folder; a final
 * slash means folders only. Characters are counted where git counts bytes. Matching never backtracks over characters,
 * so neither a hostile pattern nor a hostile name is slow.
 */

import { parseGlob, type Atom, type Character } from "./glob-parse.ts";

export interface Glob {
  /** It ended in a slash. */
  readonly foldersOnly: boolean;
  /** `names`: the parts of a path relative to the base folder. */
  matches(names: readonly string[]): boolean;
  /** Matches the path or a folder it lies in. */
  covers(names: readonly string[]): boolean;
}

/** Where a run of folders of any length, none included, may stand. */
const anyFolders = Symbol("**");
type Segment = typeof anyFolders | ((name: string) => boolean);

/** Undefined if the glob is malformed (an open set, a final backslash): git lets such a pattern match nothing. */
export function compileGlob(glob: string): Glob | undefined {
  const parsed = parseGlob(glob);
  if (parsed === undefined) return undefined;
  const segments = parsed.segments.map(compileSegment);
  // Below `a/**` lies everything in a, but not a itself; `**` alone is everything, the base folder too.
  const everything = segments.every((segment) => segment === anyFolders);
  if (!everything && segments.at(-1) === anyFolders) segments.push(() => true);
  const [start, name] = segments;
  // A name at any depth: nearly every glob there is, and asked about every file.
  if (segments.length === 2 && start === anyFolders && typeof name === "function") {
    return {
      foldersOnly: parsed.foldersOnly,
      matches: (names) => names.slice(-1).some(name),
      covers: (names) => names.some(name),
    };
  }
  return {
    foldersOnly: parsed.foldersOnly,
    matches: (names) => match(segments, names, "path"),
    covers: (names) => match(segments, names, "prefix"),
  };
}

/** Only the last `**` need ever be reconsidered, which bounds the work by names x segments. */
function match(segments: readonly Segment[], names: readonly string[], what: "path" | "prefix"): boolean {
  let segment = 0;
  let name = 0;
  let retry: { segment: number; name: number } | undefined;
  for (;;) {
    const current = segments[segment];
    const text = names[name];
    if (current === undefined && (what === "prefix" || text === undefined)) return true;
    if (current === anyFolders) {
      segment += 1;
      retry = { segment, name };
    } else if (text !== undefined && current?.(text) === true) {
      segment += 1;
      name += 1;
    } else if (retry !== undefined && retry.name < names.length) {
      retry.name += 1;
      ({ segment, name } = retry);
    } else {
      return false;
    }
  }
}

function compileSegment(atoms: readonly Atom[]): Segment {
  if (atoms.length === 2 && atoms.every((atom) => atom.kind === "star")) return anyFolders;
  const finders = pieces(atoms).map(finder);
  return (name) => {
    let at = 0;
    for (const find of finders) {
      at = find(name, at);
      if (at < 0) return false;
    }
    return true;
  };
}

/** What stands between the stars. */
function pieces(atoms: readonly Atom[]): Character[][] {
  const found: Character[][] = [[]];
  for (const atom of atoms) {
    if (atom.kind === "star") found.push([]);
    else found.at(-1)?.push(atom);
  }
  return found;
}

/** Finds a piece, the leftmost from a position on, and gives the position after it, or -1. */
type Finder = (name: string, from: number) => number;

/** The first piece must stand at the start, the last at the end; every piece has a fixed number of characters. */
function finder(piece: readonly Character[], index: number, all: readonly unknown[]): Finder {
  const first = index === 0;
  const last = index === all.length - 1;
  if (piece.every((atom) => atom.kind === "text")) {
    return textFinder(piece.map((atom) => atom.text).join(""), first, last);
  }
  const source = piece.map((atom) => (atom.kind === "set" ? atom.source : escape(atom.text))).join("");
  const pattern = new RegExp(`${first ? "^" : ""}${source}${last ? "$" : ""}`, "gu");
  return (name, from) => {
    pattern.lastIndex = from;
    return pattern.test(name) ? pattern.lastIndex : -1;
  };
}

function textFinder(text: string, first: boolean, last: boolean): Finder {
  if (first && last) return (name) => (name === text ? text.length : -1);
  if (first) return (name) => (name.startsWith(text) ? text.length : -1);
  if (last) return (name, from) => (name.length - text.length >= from && name.endsWith(text) ? name.length : -1);
  return (name, from) => {
    const at = name.indexOf(text, from);
    return at < 0 ? -1 : at + text.length;
  };
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
}
