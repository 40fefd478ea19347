/** Memory files as one text, each marked with where it comes from. */

import { wellFormedSlice } from "../slice.ts";
import type { MemoryFile } from "../workspace/memory/memory-reader.ts";
import { showPath } from "../workspace/text/show-path.ts";
import { showText } from "../workspace/text/show-text.ts";

/** `characters`: of the files' own text, as it is shown. `cut`: how many more there were. */
export type MemoryText = { text: string; characters: number; cut: number };

/**
 * The files in their order. Where they are more than `most` characters, the last ones, which are nearest, come first.
 */
export function memoryText(files: readonly MemoryFile[], most: number): MemoryText {
  const sections: string[] = [];
  let characters = 0;
  let cut = 0;
  for (const { path, text } of files.toReversed()) {
    const whole = shownWhole(text);
    const kept = wellFormedSlice(whole, 0, most - characters);
    const missing = whole.length - kept.length;
    characters += kept.length;
    cut += missing;
    sections.push(section(path, missing === 0 ? kept : `${kept}\n(${missing} characters are cut here)`));
  }
  return { text: sections.toReversed().join("\n"), characters, cut };
}

/** The files in such a text: the path as it is shown, and what is shown of it. */
export function memorySections(text: string): [path: string, shown: string][] {
  return Array.from(text.matchAll(sections), ([, path = '""', shown = ""]) => [String(JSON.parse(path)), shown]);
}

/** Whether this is what is shown of a file, be it cut. */
export function isShownAs(shown: string | undefined, text: string): boolean {
  const whole = shownWhole(text);
  if (shown === undefined || shown === whole) return shown === whole;
  const [, kept = "", missing] = /^(.*)\n\((\d+) characters are cut here\)$/s.exec(shown) ?? [];
  return missing !== undefined && whole.startsWith(kept) && whole.length - kept.length === Number(missing);
}

const sections = /<memory path=("(?:[^"\\\n]|\\.)*")>\n(.*?)\n<\/memory>/gs;

function shownWhole(text: string): string {
  return unmarked(showText(text)).trim();
}

function section(path: string, text: string): string {
  return `<memory path=${JSON.stringify(showPath(path))}>\n${text}\n</memory>`;
}

/** A file cannot end its own section or begin another. */
function unmarked(text: string): string {
  return text.replaceAll(/<(?=\/?memory)/gi, "&lt;");
}
