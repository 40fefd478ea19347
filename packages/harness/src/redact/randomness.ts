/** Whether a word was made by chance, as keys are, or by a person who names or explains something. */

/** Shannon entropy in bits a character, from how often each occurs in the word. */
export function entropy(word: string): number {
  const counts = new Map<string, number>();
  for (const character of word) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / word.length) * Math.log2(count / word.length);
  return bits;
}

/**
 * At half of its places or more a capital, a small letter or a digit is followed by one of another kind, as in no
 * name that is not short.
 */
export function isMixed(word: string): boolean {
  const changes = word.match(/[a-z](?=[A-Z0-9])|[A-Z](?=[a-z0-9])|[0-9](?=[A-Za-z])/g);
  return word.length >= 12 && (changes?.length ?? 0) * 2 >= word.length;
}

/** Words that no random key has in it: six letters stand in one of forty by a chance of one in a hundred million. */
const longWords = /example|sample|place.?holder|changeme|change.me|replace|redacted|x{5}|\*{3}|\.{3}|\$\{|\{\{|[<>]/i;

/** `AKIA…EXAMPLE`, `ghp_xxxxxxxx`, `sk-12345678…`: in the form of a key, and made by nobody's machine. */
export function isMadeUp(word: string): boolean {
  return longWords.test(word) || isRegular(word) || isPhrase(word);
}

/** Words that one in some thousand random keys has in it, where the form tells nothing. */
const shortWords = /your|dummy|fake|mock|test|todo|insert|hidden|secret|passw|token|\$[({A-Za-z_]|%[sdv(]|#\{/i;

/** Names that stand for a password as well. */
const commonplace =
  /^(?:p|pw|pwd|pass|user\w*|admin\w*|root|guest|postgres\w*|mysql|mariadb|redis|rabbitmq|mongo\w*|minio\w*|foo|bar|baz|none|null|undefined|true|false)$/i;

/** What stands where a secret would: `your-api-key`, `changeme`, `<key>`, `${KEY}`, `%s`. */
export function isSubstitute(word: string): boolean {
  return isMadeUp(word) || shortWords.test(word) || commonplace.test(word);
}

/** `12345678`, `abcdefgh`, `aaaaaaaa`: mostly a character and its neighbour, or too few different ones. */
function isRegular(word: string): boolean {
  let steps = 0;
  for (let at = 1; at < word.length; at++) {
    const step = word.charCodeAt(at) - word.charCodeAt(at - 1);
    if (step >= -1 && step <= 1) steps++;
  }
  return steps * 2 >= word.length || new Set(word).size * 5 < Math.min(word.length, 40);
}

/** `gw_valid_api_key_12345`: more than half of it are words between dashes. */
function isPhrase(word: string): boolean {
  const parts = word.split(/[-_.]/);
  if (parts.length < 3) return false;
  const letters = parts.filter((part) => /^(?:[A-Z]?[a-z]+|[A-Z]+)$/.test(part)).join("");
  return letters.length * 2 > word.length;
}
