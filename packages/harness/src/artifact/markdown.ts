/** The headings of a Markdown file, as CommonMark tells them from text: in fences, comments and front matter there are none. */

import type { Line } from "./lines.ts";

/** `number`: `2.1` is the first below the second of the top. The section goes from `line` to `end`, both included. */
export type Heading = {
  readonly number: string;
  readonly level: number;
  readonly title: string;
  readonly line: number;
  /** Undefined for those that go to the end of the file. */
  readonly end: number | undefined;
};

type Open = { number: string; level: number; title: string; line: number; end: number | undefined };
type Fence = { mark: string; size: number };

const atx = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;
const underline = /^ {0,3}(=+|-+)[ \t]*$/;
const fenceStart = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
/** A line that cannot be the text above an underline: empty, a quote, a list, code, a table, a tag. */
const noParagraph = /^(?:\s*$| {4}|\t| {0,3}(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]|\||<))/;

/** In order, each known once its section has ended. Lines that are cut count as they are. */
export async function* headingsIn(lines: AsyncIterable<Line>): AsyncGenerator<Heading> {
  const counts = [0, 0, 0, 0, 0, 0];
  const all: Open[] = [];
  const inside = createInside();
  let above: Line | undefined;

  function begin(level: number, title: string, line: number): void {
    counts[level - 1] = (counts[level - 1] ?? 0) + 1;
    counts.fill(0, level);
    for (const one of all) if (one.end === undefined && one.level >= level) one.end = line - 1;
    // Levels that were left out do not count: `#` then `###` is 1, then 1.1.
    const number = counts.slice(0, level).filter((count) => count > 0);
    all.push({ number: number.join("."), level, title, line, end: undefined });
  }

  for await (const line of lines) {
    const { text } = line;
    if (inside.takes(text, line.line)) {
      above = undefined;
      continue;
    }
    const [, marks, title = ""] = atx.exec(text) ?? [];
    const [, under] = underline.exec(text) ?? [];
    if (marks !== undefined) begin(marks.length, title.trim(), line.line);
    else if (under !== undefined && above !== undefined)
      begin(under.startsWith("=") ? 1 : 2, above.text.trim(), above.line);
    above = marks === undefined && under === undefined && !noParagraph.test(text) ? line : undefined;
    while (all[0]?.end !== undefined) {
      const [first] = all.splice(0, 1);
      if (first !== undefined) yield first;
    }
  }
  yield* all;
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
