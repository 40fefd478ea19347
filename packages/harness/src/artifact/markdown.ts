/** The headings of a Markdown file, as CommonMark tells them from text: in fences, comments and front matter there are none. */

import type { Line } from "./lines.ts";

/** `number`: `2.1` is the first below the second of the top. Its section ends before the next of its level or above. */
export type Heading = {
  readonly number: string;
  readonly level: number;
  readonly title: string;
  readonly line: number;
};

type Fence = { mark: string; size: number };

const atx = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
const underline = /^ {0,3}(=+|-+)[ \t]*$/;
const fenceStart = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
/** A line that cannot be the text above an underline: empty, a quote, a list, code, a table, a tag. */
const noParagraph = /^(?:\s*$| {4}|\t| {0,3}(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]|\||<))/;

/** In order, and none is held. Lines that are cut count as they are. */
export async function* headingsIn(lines: AsyncIterable<Line>): AsyncGenerator<Heading> {
  const counts = [0, 0, 0, 0, 0, 0];
  const inside = createInside();
  let above: Line | undefined;

  function heading(level: number, title: string, line: number): Heading {
    counts[level - 1] = (counts[level - 1] ?? 0) + 1;
    counts.fill(0, level);
    // Levels that were left out do not count: `#` then `###` is 1, then 1.1.
    const number = counts.slice(0, level).filter((count) => count > 0);
    return { number: number.join("."), level, title: title.trim(), line };
  }

  for await (const line of lines) {
    const { text } = line;
    if (inside.takes(text, line.line)) {
      above = undefined;
      continue;
    }
    const [start = "", marks] = atx.exec(text) ?? [];
    const [, under] = underline.exec(text) ?? [];
    if (marks !== undefined) yield heading(marks.length, withoutClosing(text.slice(start.length)), line.line);
    else if (under !== undefined && above !== undefined)
      yield heading(under.startsWith("=") ? 1 : 2, above.text, above.line);
    above = marks === undefined && under === undefined && !noParagraph.test(text) ? line : undefined;
  }
}

/** `## Title ##` is closed by its last marks. Not told by an expression: a line of blanks would hold one up for ever. */
function withoutClosing(text: string): string {
  const title = text.trimEnd();
  let end = title.length;
  while (title[end - 1] === "#") end -= 1;
  return title[end - 1] === " " || title[end - 1] === "\t" ? title.slice(0, end) : title;
}

/** What no heading stands in. */
function createInside(): { takes(text: string, line: number): boolean } {
  let fence: Fence | undefined;
  let isFrontMatter = false;
  let isComment = false;
  return {
    takes(text, line) {
      if (isFrontMatter) {
        isFrontMatter = !/^(?:---|\.\.\.)[ \t]*$/.test(text);
        return true;
      }
      if (isComment) {
        isComment = !text.includes("-->");
        return true;
      }
      if (fence !== undefined) {
        if (ends(fence, text)) fence = undefined;
        return true;
      }
      if (line === 1 && /^---[ \t]*$/.test(text)) return (isFrontMatter = true);
      if (/^ {0,3}<!--/.test(text)) {
        isComment = !text.includes("-->");
        return true;
      }
      const mark = fenceStart.exec(text)?.[1];
      if (mark === undefined) return false;
      fence = { mark: mark.charAt(0), size: mark.length };
      return true;
    },
  };
}

function ends({ mark, size }: Fence, text: string): boolean {
  const trimmed = text.trim();
  return /^ {0,3}\S/.test(text) && trimmed.length >= size && trimmed === mark.repeat(trimmed.length);
}
