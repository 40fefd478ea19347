/** How an answer is written: citations, lines of code, lists with an end. */

/** What a person needs who asked for more than lookups: the one place for these words. */
export const needsModel: string =
  "I am the rule-based offline model: I answer where names are defined, who calls or uses them, where a text stands, and what a file or folder holds. " +
  "For anything else, configure a real model: set ANTHROPIC_API_KEY, or choose one with --model.";

/** A place as the citation check reads it: an odd path stands in backticks, one that cannot is told in words. */
export function cite(path: string, line: number): string {
  if (/^[\p{L}\p{N}_@+./()[\]-]+$/u.test(path)) return `${path}:${line}`;
  return /^[^`:"\\\p{C}]+$/u.test(path) ? `\`${path}:${line}\`` : `line ${line} of ${JSON.stringify(path)}`;
}

/** A line of code for a list: trimmed, short, without backticks or anything that reads like a citation. */
export function lineText(text: string): string {
  const plain = text
    .replace(/\s+/g, " ")
    .replaceAll("`", "'")
    .replace(/[:#](?=L?\d)/g, "$& ")
    .trim();
  return plain.length > 120 ? `${plain.slice(0, 119)}…` : plain;
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
