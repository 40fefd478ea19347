/** Tests that stand within source code, as some languages have them: the part of a file that is told apart from the rest. */

import { splitBlocks, type Block } from "./blocks.ts";

/** By the ending of a file's name: one test, or one module of them, as formatters lay it out. Data. */
const rows: readonly { ending: string; tests: Block }[] = [
  {
    ending: ".rs",
    tests: {
      mark: /^#\[cfg\(test\)\]$/,
      between: /^(?:#\[.*)?$/,
      opens: /^(?:pub(?:\(\w+\))? )?mod \w+ \{$/,
      closes: "}",
    },
  },
  { ending: ".zig", tests: { opens: /^test\b.*\{$/, closes: "}" } },
];

/** Whether files of this name may hold tests beside what they test. */
export function mayHoldTests(path: string): boolean {
  return blockFor(path) !== undefined;
}

/** Equal texts hold the same tests; empty where there are none. */
export function testsIn(path: string, text: string): string {
  const block = blockFor(path);
  return block === undefined ? "" : splitBlocks(text, block).blocks;
}

/** The code as it is now with the tests as they were. */
export function withTests(path: string, now: string, before: string): string {
  const block = blockFor(path);
  return block === undefined ? now : `${splitBlocks(now, block).rest}\n\n${testsIn(path, before)}\n`;
}

function blockFor(path: string): Block | undefined {
  return rows.find(({ ending }) => path.endsWith(ending))?.tests;
}
