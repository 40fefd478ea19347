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

/**
 * Both paths without their prefixes. If both have one, both lose it; a path beside /dev/null loses what stands on its
 * side of the pair. Without such a pair they stay as they are.
 */
export function withoutPrefixes(
  old: string | undefined,
  path: string | undefined,
): { old: string | undefined; path: string | undefined } {
  for (const [left, right] of prefixes) {
    const isOld = old === undefined || old.startsWith(left);
    const isNew = path === undefined || path.startsWith(right);
    if (isOld && isNew) return { old: old?.slice(left.length), path: path?.slice(right.length) };
  }
  return { old, path };
}
