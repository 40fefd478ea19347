/** Names of code in a sentence: what stands in backticks and should therefore stand near the line that is cited. */

import { isFileName } from "./path-shape.ts";

const joints = /::|->|\?\.|[.#]/;
/** Words of languages, not names anyone gave. */
const keywords: ReadonlySet<string> = new Set(
  `abstract and any as assert async await bigint bool boolean break byte case catch char class const continue debugger def
  default defer del delete do double elif else enum except export extends false finally float fn for from func function
  get global go goto if impl implements import in infer instanceof int interface is keyof lambda let long match mod module
  mut namespace never new nil none None not null number object of or override package pass private protected pub public
  raise readonly ref require return satisfies select self set short static str string struct super switch symbol this
  throw throws trait true True False try type typeof undefined unknown unsafe use using var void where while with yield`.split(
    /\s+/,
  ),
);

/**
 * The names among a sentence's code spans, if not one of them stands in the lines. One that does vouches for the
 * sentence, for prose names more than it cites; so does a word of any other code that is no path.
 */
export function namesMissingFrom(lines: readonly string[], code: readonly string[]): string[] {
  const present = new Set(lines.flatMap(wordsOf));
  const spoken = code.filter((text) => !keywords.has(text) && !pointsIntoFile(text));
  return spoken.some((text) => wordsOf(text).some((word) => present.has(word)))
    ? []
    : [...new Set(spoken.filter(isName))];
}

function pointsIntoFile(code: string): boolean {
  return isFileName(code) || /[:#]L?\d/.test(code);
}

/** `Ledger.has()` is one; a command, a flag and a literal are none. */
function isName(code: string): boolean {
  if (code.length > 200) return false;
  const bare = code
    .replace(/^[@.#&*]/, "")
    .replace(/\(.*\)$/s, "")
    .replace(/<.*>$/s, "");
  const identifier = /^[\p{L}_$][\p{L}\p{N}_$]*[?!]?$/u; // here, for its tables are not to be loaded before an answer
  return bare.split(joints).every((part) => identifier.test(part));
}

/** Its identifiers but for keywords. Ruby's `empty?` and Rust's `vec!` count with and without their sign. */
function wordsOf(code: string): string[] {
  return [...code.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*[?!]?/gu)]
    .flatMap(([word]) => [word, word.replace(/[?!]$/, "")])
    .filter((word) => !keywords.has(word));
}
