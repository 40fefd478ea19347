/** `@path` in a question: the path of a file or folder that is to go with it. */

/**
 * Stands at the start, after a blank or an opening bracket: so neither in an address (`me@example.com`), nor in code
 * between backticks. With quotes around it a path may hold blanks.
 */
const mention = /(?<![^\s([{])@(?:"([^"\n]+)"|([^\s"`]+))/gu;
/** What ends a sentence rather than a path, and an English genitive. */
const trailing = /(?:'s|(?<![.,;:!?)\]}>']))[.,;:!?)\]}>']*$/u;

/**
 * What is written behind each `@` of a text, in order, each once: a path, perhaps with `:12`, `:10-20` or `#L10-L20` for its lines.
 * Whether it is one only the project can tell: `@Injectable` looks the same.
 */
export function mentionsIn(text: string): string[] {
  const found = Array.from(text.matchAll(mention), ([, quoted, plain = ""]) => quoted ?? withoutEnd(plain));
  return [...new Set(found)].filter((path) => path !== "");
}

/** `.` and `..` stay what they are. */
function withoutEnd(path: string): string {
  return /^\.+$/u.test(path) ? path : path.replace(trailing, "");
}
