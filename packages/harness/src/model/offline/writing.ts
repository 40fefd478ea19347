/** How an answer is written: citations, lines of code, lists with an end. */

/** What a person needs who asked for more than lookups: the one place for these words. */
export const needsModel: string =
  "I am the rule-based offline model: I answer where names are defined, who calls or uses them, where a text stands, and what a file or folder holds, " +
  'such as "Where is main defined, and who calls it?" or "What is in src?". ' +
  "For anything else, configure a real model: set ANTHROPIC_API_KEY, or choose one with --model (/model in a conversation).";

/** A place as the citation check reads it: an odd path stands in backticks, one that cannot is told in words. */
export function cite(path: string, line: number): string {
  if (/^[\p{L}\p{N}_@+./()[\]-]+$/u.test(path)) return `${path}:${line}`;
  return /^[^`:"\\\p{C}]+$/u.test(path) ? `\`${path}:${line}\`` : `line ${line} of ${JSON.stringify(path)}`;
}

/** What would cite another file in quoted code: a path with an ending, behind a folder, or of a well-known name. */
const cites =
  /(?<=\.\p{L}\w*|[\w.)\]-]\/[\p{L}_.[@][\p{L}\p{N}_.@+()[\]-]*|\b(?:Makefile|Dockerfile|LICENSE|README|CHANGELOG))(?<!:\/\/\S*)[:#](?=L?\d)/gu;

/**
 * A line of a file as it stands there: white space folded, cut where it is long. Only what would read as a citation is
 * broken by a space, and a line with backticks becomes a code span as a whole.
 */
export function lineText(text: string): string {
  const folded = text.replace(/\s+/g, " ").trim();
  const short = folded.length > 120 ? `${folded.slice(0, 119)}…` : folded;
  const plain = short.replace(cites, "$& ");
  const runs = Array.from(plain.matchAll(/`+/g), ([run]) => run.length);
  if (runs.length === 0) return plain;
  const ticks = "`".repeat(Math.max(...runs) + 1);
  // Markdown takes one space from each side, where both have one.
  const padding = /^`|`$/.test(plain) ? " " : "";
  return `${ticks}${padding}${plain}${padding}${ticks}`;
}

/** `3 calls`, `1 call`. */
export function count(n: number, one: string, many: string = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** A list under a heading; nothing for an empty one. */
export function section(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [`## ${heading}`, "", ...lines.map((line) => `- ${line}`)].join("\n");
}

/** Paragraphs, the empty ones left out. */
export function paragraphs(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}
