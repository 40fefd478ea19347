/** Letters that look alike and are not. */

const scripts = ["Latin", "Cyrillic", "Greek", "Armenian", "Cherokee", "Coptic", "Georgian", "Lisu"];

/** Whether a word mixes letters of scripts that have look-alikes of each other, as no word of a language does. */
export function isMixed(text: string): boolean {
  if (/^[\x20-\x7e]*$/.test(text)) return false;
  const words = text.match(/[\p{L}\p{M}]+/gu) ?? [];
  return words.some(
    (word) => scripts.filter((script) => new RegExp(`\\p{Script=${script}}`, "u").test(word)).length > 1,
  );
}

/** Every letter that is not of ASCII by its number. */
export function spelled(path: string): string {
  return Array.from(path, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x80 ? character : `\\u{${code.toString(16)}}`;
  }).join("");
}
