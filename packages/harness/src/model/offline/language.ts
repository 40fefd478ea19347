/**
 * What the offline model knows of a programming language, as data. To teach it another one, add an entry to
 * `languages.ts`: no code asks which language it holds.
 *
 * Every pattern is a regular expression source that both JavaScript and ripgrep read (no look-around, no
 * back-references), matched with the flags `m` and `u` against code whose comments and strings are blanked. `NAME`
 * stands for the name in question.
 */

/** A part of the text that is not code. `end` may use `$1` of `start`; without `end` the start is the whole of it. */
export type Quoted = {
  kind: "comment" | "string";
  /** May look around: it is never handed to ripgrep. */
  start: string;
  end?: string | undefined;
  /** Goes on over line breaks until `end`. */
  spansLines?: true | undefined;
  /** A start inside it needs an end of its own. */
  nests?: true | undefined;
  /** A backslash keeps the next character from ending it. */
  escapes?: true | undefined;
  /** How a line starts that stands alone but belongs inside. */
  goesOn?: string | undefined;
  /** Opens code inside the string, up to the matching `}`. */
  interpolation?: string | undefined;
};

/**
 * How what follows the name decides.
 * - signature: parameters, then a body makes it a definition, a semicolon a declaration.
 * - body: a body must follow at once; a semicolon makes it a declaration.
 * - block: a body may follow; it is a definition either way.
 * - value: `=` and a value; where that is a function, so is the name.
 * - entry: the same after a colon.
 * - lines: goes on while lines end in a backslash.
 */
export type Tail = "signature" | "body" | "block" | "value" | "entry" | "lines";

export type Rule = {
  /** The word for it in an answer: function, class, field… */
  kind: string;
  /** One without NAME only opens a scope. A group `owner` names the type a method belongs to. */
  pattern: string;
  tail?: Tail | undefined;
  /** With `signature`: what must stand right after the closing parenthesis. */
  after?: string | undefined;
  /** Holds only directly inside a scope of such a kind; `file` is the top level. */
  within?: readonly string[] | undefined;
  /** Code inside is said to stand in it: functions come first, then types. */
  scope?: "function" | "type" | "other" | undefined;
  /**
   * What a match is, if not a definition: a declaration has no body; a local is known in its function alone; an
   * attribute is assigned to the object at hand, an entry set on any object: definitions only where there is nothing
   * better.
   */
  role?: "declaration" | "local" | "assigned" | "entry" | undefined;
};

export type Language = {
  name: string;
  extensions: readonly string[];
  quoted: readonly Quoted[];
  blocks: "braces" | "indent";
  rules: readonly Rule[];
  imports: readonly string[];
  reexports: readonly string[];
  /** What follows a name where it is called. */
  calls: readonly string[];
  /** What stands before a name where it is called without parentheses. May look around. */
  callPrefixes: readonly string[];
  /** Words that look like a name or a type where a rule expects one, but begin a statement. */
  statements: readonly string[];
  /** Characters of a name besides letters, digits and the underscore. */
  nameCharacters: string;
  /** Between a type and its member. */
  member: "." | "::";
};

/** The language of a path by its extension, or undefined. */
export function languageOf(path: string, languages: readonly Language[]): Language | undefined {
  const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  return languages.find((language) => language.extensions.includes(extension));
}

/** A name as a pattern that matches just itself, in JavaScript and in ripgrep. */
export function escapeName(name: string): string {
  return name.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");
}
