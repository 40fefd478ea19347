/** Paths as the headers of a unified diff write them. */

/** What git and others put before the path of the old file, and of the new one. */
const prefixes: readonly (readonly [string, string])[] = [
  ["a/", "b/"],
  ["i/", "w/"],
  ["c/", "i/"],
  ["c/", "w/"],
  ["o/", "w/"],
  ["1/", "2/"],
];

const escapes: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  '"': '"',
  "\\": "\\",
};

/** A path of a header line; undefined for /dev/null. What stands behind a tab is a date. */
export function headerPath(text: string): string | undefined {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(text);
  const path = quoted === null ? (text.split("\t")[0] ?? "").trimEnd() : unquoted(quoted[1] ?? "");
  return path === "/dev/null" ? undefined : path;
}

/** As git quotes: escapes of C, bytes of UTF-8 in octal. */
function unquoted(text: string): string {
  const parts = text.split(/(\\[0-7]{3}|\\.)/).map((part, index) => {
    if (index % 2 === 0) return Buffer.from(part);
    const octal = /^\\([0-7]{3})$/.exec(part);
    if (octal !== null) return Buffer.of(Number.parseInt(octal[1] ?? "", 8));
    return Buffer.from(escapes[part.slice(1)] ?? part);
  });
  return Buffer.concat(parts).toString();
}

export type Paths = { old: string | undefined; path: string | undefined };

/**
 * Both paths without their prefixes. `known`: what the line of git before them names; a path that is this, or this behind
 * one letter, is it. Else both lose the prefixes of one pair, and beside /dev/null only those that everybody writes.
 */
export function withoutPrefixes(old: string | undefined, path: string | undefined, known?: string): Paths {
  const isKnown = (it: string | undefined): boolean => it === undefined || it.replace(/^[^/]\//, "") === known;
  if (known !== undefined && [old, path].every((it) => it === known || isKnown(it))) {
    return { old: old && known, path: path && known };
  }
  const pairs = old === undefined || path === undefined ? prefixes.slice(0, 1) : prefixes;
  for (const [left, right] of pairs) {
    const isOld = old === undefined || old.startsWith(left);
    const isNew = path === undefined || path.startsWith(right);
    if (isOld && isNew) return { old: old?.slice(left.length), path: path?.slice(right.length) };
  }
  return { old, path };
}
