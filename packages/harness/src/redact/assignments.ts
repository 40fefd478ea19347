/**
 * Secrets that only their name gives away: `DB_PASSWORD=…`, `"client_secret": "…"`, `--api-key …`. Any word can stand
 * there, so what is found must also look like one that nobody would write by hand for another purpose.
 */

import type { Found } from "./found.ts";
import { entropy, isMixed, isSubstitute } from "./randomness.ts";

const names =
  "passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|auth[_-]?key|private[_-]?key|encryption[_-]?key|signing[_-]?key|account[_-]?key|credentials?";

/**
 * Name, `=`, `:`, `=>`, `:=`, `>`, `,` or `(`, value. The value ends at its quote; without quotes at a blank, or where
 * code goes on. Quotes within a string of another language may be escaped. Never matches a line break.
 */
const assignment = String.raw`(?<name>${names})(?<rest>[A-Za-z0-9_.-]{0,24})\\?["'\x60]?\]?[ \t]{0,4}(?::=|=>|[=:>]|[,(](?=[ \t]{0,4}\\?["'\x60]))[ \t]{0,4}(?:[A-Za-z]{0,2}\\?(?<quote>["'\x60])(?<quoted>[^"'\x60\s\\]{8,256})\\?\k<quote>|(?<bare>[^\s"'\x60,;(){}\[\]<>\\:&?=$%][^\s"'\x60,;(){}\[\]<>\\&]{7,255})(?=[\s"'\x60,;&<)}\]\\]|$))`;

/** `token_count`, `passwordField`, `secret-name`: the name of something about a secret. */
const about =
  /(?:id|ids|type|name|names|url|uri|path|file|dir|field|header|hash|digest|count|length|size|limit|index|expir\w*|ttl|prefix|suffix|pattern|regexp?|label|title|hint|policy|class|param\w*|selector|version|provider|endpoint|algorithm|usage|budget|s)$/i;

/** The values in a text that have such a name, in order. */
export function* assignedSecrets(text: string): Iterable<Found> {
  for (const { groups = {}, indices } of text.matchAll(new RegExp(assignment, "dgi"))) {
    const { name = "", rest = "", quoted, bare } = groups;
    const value = quoted ?? bare ?? "";
    const [from, to] = indices?.groups?.[quoted === undefined ? "bare" : "quoted"] ?? [0, 0];
    if (about.test(rest) || (quoted === undefined && isCode(value))) continue;
    if (/^pass|^pwd/i.test(name) ? isPasswordLike(value) : isKeyLike(value)) yield { from, to, name: "value" };
  }
}

/** A name, a call, a path: what stands behind `token =` in a program. */
function isCode(word: string): boolean {
  const names = word.replace(/[.:?!]$/, "").split(/\.|::|->|\?\.|\//);
  return names.every((name) => /^[A-Za-z_$*][\w$*]*$/.test(name) && !/\d.*[A-Za-z].*\d/.test(name) && !isMixed(name));
}

/** A key, as programs make them: letters and digits, and so many different ones that it is no word. */
function isKeyLike(word: string): boolean {
  if (word.length < 16 || isSubstitute(word) || isPlace(word)) return false;
  if (!isMixed(word) && !(/[0-9]/.test(word) && /[A-Za-z]/.test(word))) return false;
  return entropy(word) >= (/^[0-9a-f-]+$/i.test(word) ? 2.8 : 3.4);
}

/** Three of the four kinds of characters, or digits and letters in a longer word. */
function isPasswordLike(word: string): boolean {
  if (isSubstitute(word) || isPlace(word)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9]/].filter((kind) => kind.test(word)).length;
  return entropy(word) >= 2.6 && /[0-9]/.test(word) && (kinds >= 3 || (kinds >= 2 && word.length >= 10));
}

/** A URL, a path, a date, a version, a hash that says it is one. */
function isPlace(word: string): boolean {
  return /:\/\/|^[.~]{0,2}\/[a-z_-]{2,}(?:[/.]|$)|^[@#]|^\d[\d.:/-]*$|^(?:sha\d|md5)|^v?\d+\.\d+/i.test(word);
}
