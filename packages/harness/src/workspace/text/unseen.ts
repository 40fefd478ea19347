/** Which characters a reader cannot see. */

/**
 * For the inside of a character class, with the flag u or v: controls, formats (bidi, zero-width, tags), lone
 * surrogates, line and paragraph separators, and all that is drawn as nothing, fillers and blanks included. Line feed,
 * tab and U+FE0F (which stands behind many emoji) are among them; who wants to keep these says so. Printable ASCII is
 * not: whoever lets it through first spares a process the tables of Unicode, which take a third of node's own start-up
 * to load.
 */
export const unseenCharacters: string = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}`;
