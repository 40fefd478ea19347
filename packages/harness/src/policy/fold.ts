/**
 * Names as the most lenient file system compares them. `.GIT`, `.git.`, `.git::$INDEX_ALLOCATION` and `.g<U+200C>it`
 * open the same folder as `.git` on some system, so a rule for one is a rule for all.
 */

/** Characters that HFS+ ignores in names: zero-width ones, marks of direction, the byte order mark. */
const invisible = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu;
/** The NTFS name of a stream's type, and perhaps of the stream: `::$DATA`, `:$I30:$INDEX_ALLOCATION`. */
const stream = /:[^:]*:\$[a-z_0-9]+$|:\$[a-z_0-9]+$/iu;
/** What Windows drops from the end of a name. */
const trailing = /[. ]+$/u;
/** Nothing to leave out: most names. */
const plain = /^(?:[\w.-]*[\w-])?$/;

/** One name of a path, not a whole path. */
export function foldName(name: string): string {
  if (plain.test(name)) return name.toLowerCase();
  return foldCase(name.replace(invisible, "").replace(stream, "").replace(trailing, ""));
}

/** Through upper case, so that letters with two lower forms (s and the long s) become one. */
export function foldCase(text: string): string {
  return text.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}
