/** Imports in memory files: `@docs/rules.md` at the start of a word. */

import { linesOf } from "../text/text.ts";

/**
 * No path that a person writes is longer; an import is looked up, and a text of nothing but @ should not cost a day.
 */
const maxCharacters = 500;

/** What is imported, in order, each once. In code, blocks and spans alike, an @ imports nothing. */
export function importsIn(text: string): string[] {
  const found = new Set<string>();
  for (const line of linesOutsideCode(text)) {
    const prose = line.replaceAll(/(`+)[^`]*\1/g, "");
    for (const [, word = ""] of prose.matchAll(/(?<=^|[\s(])@([^\s@`]+)/g)) {
      if (word.length <= maxCharacters) found.add(word.replace(/[.,;:!?)\]}'"]+$/, ""));
    }
  }
  found.delete("");
  return [...found];
}

function* linesOutsideCode(text: string): Generator<string> {
  let block: string | undefined;
  for (const line of linesOf(text)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (block !== undefined) {
      if (mark?.startsWith(block) === true) block = undefined;
    } else if (mark !== undefined) {
      block = mark;
    } else {
      yield line;
    }
  }
}
