/** Tests that stand within source code, as some languages have them: the part of a file that is told apart from the rest. */

/** By the ending of a file's name: one test, or one module of them, as formatters lay it out. Data. */
const rows: readonly { ending: string; tests: RegExp }[] = [
  { ending: ".rs", tests: /^#\[cfg\(test\)\]\s*(?:#\[.*\]\s*)*(?:pub(?:\(\w+\))? )?mod \w+ \{\n[^]*?^\}$/gm },
  { ending: ".zig", tests: /^test\b[^\n]*\{\n[^]*?^\}$/gm },
];

/** Whether files of this name may hold tests beside what they test. */
export function mayHoldTests(path: string): boolean {
  return patternFor(path) !== undefined;
}

/** Equal texts hold the same tests; empty where there are none. */
export function testsIn(path: string, text: string): string {
  const pattern = patternFor(path);
  return pattern === undefined ? "" : (text.match(pattern) ?? []).join("\n\n");
}

/** The code as it is now with the tests as they were. */
export function withTests(path: string, now: string, before: string): string {
  const pattern = patternFor(path);
  return pattern === undefined ? now : `${now.replaceAll(pattern, "").trimEnd()}\n\n${testsIn(path, before)}\n`;
}

function patternFor(path: string): RegExp | undefined {
  return rows.find(({ ending }) => path.endsWith(ending))?.tests;
}
