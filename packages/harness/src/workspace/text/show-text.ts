/** How text that somebody else wrote is put before a model that follows it: with nothing in it that a person would not see. */

/**
 * Control and format characters (bidi, zero-width, tags), lone surrogates, and all that is drawn as nothing. Line breaks and tabs
 * can be seen; U+FE0F stands behind many emoji, and alone it says nothing.
 */
const unseen = /[[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]--[\ufe0f\n\t]]/gv;

/** The text with `\u{200b}` in place of each character that cannot be seen. */
export function showText(text: string): string {
  return text.replace(unseen, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ""}}`);
}
