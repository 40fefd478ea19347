/** The syntax of globs: from text to segments (between slashes) of atoms. */

type Star = { readonly kind: "star" };
/** A character, or one out of a set that is given as the source of a regular expression. */
export type Character =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "set"; readonly source: string };
export type Atom = Star | Character;

export type ParsedGlob = { readonly segments: readonly (readonly Atom[])[]; readonly foldersOnly: boolean };

const star: Star = { kind: "star" };
const anyCharacter: Character = { kind: "set", source: "[^]" };

/** The classes of POSIX, for ASCII, as git has them. */
const classes: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  blank: String.raw` \t`,
  cntrl: String.raw`\x00-\x1f\x7f`,
  digit: "0-9",
  graph: String.raw`\x21-\x7e`,
  lower: "a-z",
  print: String.raw`\x20-\x7e`,
  punct: String.raw`\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e`,
  space: String.raw`\t-\r `,
  upper: "A-Z",
  xdigit: "0-9A-Fa-f",
};

/** Undefined for a malformed glob. */
export function parseGlob(glob: string): ParsedGlob | undefined {
  const segments: Atom[][] = [[]];
  const characters = Array.from(glob);
  for (let at = 0; at < characters.length; at += 1) {
    let character = characters[at];
    let atom: Atom | undefined;
    if (character === "\\") {
      at += 1;
      character = characters[at];
      // The final slash comes off first, and leaves a backslash with nothing to escape.
      if (character === "/" && at === characters.length - 1) return undefined;
    } else if (character === "*") {
      atom = star;
    } else if (character === "?") {
      atom = anyCharacter;
    } else if (character === "[") {
      const set = parseSet(characters, at + 1);
      if (set === undefined) return undefined;
      at = set.end;
      atom = { kind: "set", source: set.source };
    }
    if (character === undefined) return undefined;
    if (character === "/") segments.push([]);
    else segments.at(-1)?.push(atom ?? { kind: "text", text: character });
  }
  return place(segments, glob);
}

/**
 * A leading slash anchors, a final one asks for folders, and a lone name may stand anywhere: one without a slash, even in
 * a set, as git has it.
 */
function place(segments: Atom[][], glob: string): ParsedGlob | undefined {
  const foldersOnly = segments.length > 1 && segments.at(-1)?.length === 0;
  if (foldersOnly) segments.pop();
  const lone = !glob.slice(0, foldersOnly ? -1 : undefined).includes("/");
  if (!lone && glob.startsWith("/")) segments.shift();
  if (segments.some((segment) => segment.length === 0)) return undefined;
  return { segments: lone ? [[star, star], ...segments] : segments, foldersOnly };
}

/** Reads a set from behind its "[": the source of a regular expression and where the "]" stands. */
function parseSet(characters: readonly string[], start: number): { source: string; end: number } | undefined {
  let at = start;
  const negated = characters[at] === "!" || characters[at] === "^";
  if (negated) at += 1;
  const first = at;
  let source = "";
  for (; at < characters.length; at += 1) {
    if (characters[at] === "]" && at > first) return { source: `[${negated ? "^" : ""}${source}]`, end: at };
    if (characters[at] === "[" && characters[at + 1] === ":") {
      const end = characters.indexOf("]", at);
      const name = classes[characters.slice(at + 2, end - 1).join("")];
      if (name === undefined || characters[end - 1] !== ":") return undefined;
      source += name;
      at = end;
      continue;
    }
    if (characters[at] === "\\") at += 1;
    const from = characters[at];
    let to = from;
    if (characters[at + 1] === "-" && characters[at + 2] !== undefined && characters[at + 2] !== "]") {
      at += characters[at + 2] === "\\" ? 3 : 2;
      to = characters[at];
    }
    if (from === undefined || to === undefined) return undefined;
    // A range that runs backwards holds nothing.
    if (codePoint(from) <= codePoint(to)) source += `${unicode(from)}-${unicode(to)}`;
  }
  return undefined;
}

function codePoint(character: string): number {
  return character.codePointAt(0) ?? 0;
}

function unicode(character: string): string {
  return `\\u{${codePoint(character).toString(16)}}`;
}
