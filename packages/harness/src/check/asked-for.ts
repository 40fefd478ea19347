/** Whether a task asks for tests to be changed: only then is a changed test what the user wants. */

import type { CheckFileKind } from "../policy/check-files.ts";

const removing = ["remove", "delete", "drop", "rename", "move", "replace", "migrate", "port"];
const changing = [...removing, "update", "adapt", "adjust", "change", "edit", "rewrite", "extend"];
/** What may stand between such a verb and the tests. */
const between = [
  "the|all|its|their|our|my|existing|old|these|those|affected|corresponding|unit|integration",
  "\\S+[/.]\\S+",
];
/** One test alone may stand before what it is the test of something else for: "the test runner". */
const tests =
  "(?:(?:tests|specs|snapshots)\\b|(?:test|spec|snapshot)(?=\\s*(?:$|[.,;:!?)]|(?:and|cases?|files?|for|in|of|so|suites?|that|to|too)\\b)))";
const forbids = /\b(?:don't|do not|never|without|must not|not to|no need to)\b[^.;\n]*$/i;

type Asked = { path: string; kind: CheckFileKind; how: "changed" | "deleted" | "new" };

/**
 * True where the task has a verb of changing (of removing, for a file that is gone) before "tests", or before the file's
 * name: "rename load and adapt its tests". "Fix the tests" does not say what is to be changed.
 */
export function asksToChange(task: string, { path, kind, how }: Asked): boolean {
  const verbs = how === "deleted" ? removing : changing;
  if (kind === "program" || kind === "goal") return false;
  const name = escaped(path.slice(path.lastIndexOf("/") + 1));
  // Whoever names a source file means its code.
  const byName = kind === "source" ? [] : [`[\`"']?(?:\\S*/)?${name}\\b`];
  const things = [...byName, ...(kind === "definition" ? [] : [tests])];
  return things.some((thing) => {
    const pattern = new RegExp(`\\b(?:${verbs.join("|")})(?:\\s+(?:${between.join("|")}))*\\s+${thing}`, "i");
    const found = pattern.exec(task);
    return found !== null && !forbids.test(task.slice(0, found.index));
  });
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
