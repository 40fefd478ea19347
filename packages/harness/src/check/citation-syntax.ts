/**
 * What counts as a citation: `path:3`, `path:3-9`, `path:3:5`, `path:3,7-9`, `path#L3`, `path#L3-L9`, bare, in
 * backticks or in a link; also `path` in backticks followed by `:3`. Names with white space need backticks or a link,
 * other odd ones backticks. Reading is lexical: whether there is such a file decides the check. Runs in linear time on
 * any input.
 */

import { isCertainlyFile, mayBePath } from "./path-shape.ts";
import type { CodeSpan, Markdown, Sentence, Span } from "./prose.ts";

/** First and last line, from 1, as written: `to` may be smaller than `from`. */
export type LineRange = { from: number; to: number };
export type Candidate = Span & {
  /** What may be meant, the likeliest last: the first that exists counts, else the last. */
  paths: readonly [...string[], string];
  ranges: readonly LineRange[];
  /** A file is meant beyond doubt. */
  certain: boolean;
};

/** A stretch of text to look through; `opensWhole`: a path may begin right at its start and hold spaces. */
type Stretch = { text: string; offset: number; opensWhole: boolean };

const anchor = /[:#](?=L?\d)/g;
const lineNumbers =
  /(?::L?|#L)(?<from>\d{1,9})(?:[:C]\d{1,9}(?:[-–]L?(?<endLine>\d{1,9})[:C]\d{1,9}|[-–]\d{1,9})?|[-–]L?(?<to>\d{1,9}))?/y;
/** What follows tells `a.ts:3` from `node:20-alpine`, `x:1.2` and `12:30pm`. */
const properEnd = /(?<emphasis>_*)(?![\w/\\@%$#~&-]|\.\w)/y;
/** A number after a comma and a space is a line only where no words go on: "a.ts:3, 7 tests" cites line 3. */
const furtherLines =
  /,(?: (?=\d+(?:[-–]\d+)?\s*(?:$|[),.;\]|`])))?L?(?<from>\d{1,9})(?:[-–]L?(?<to>\d{1,9}))?(?![\w/:]|\.\w)/y;
const delimiter = /[\s\p{Cc}`"'<>|,;*=!?“”‘’«»—→⇒•·、。，；：！？（）【】「」『』《》〈〉]/u;
const openers = "([";
const closers = ")]";
/** How far back a link may have opened. */
const longestLink = 300;

/** All candidates of a sentence, in order. `start` and `end` enclose path and line numbers in the whole text. */
export function candidatesIn(markdown: Markdown, sentence: Sentence): Candidate[] {
  const prose = { text: slice(markdown.prose, sentence), offset: sentence.start, opensWhole: false };
  const inCode = sentence.code.flatMap(({ inside }) => [
    ...scan({ text: slice(markdown.text, inside), offset: inside.start, opensWhole: true }, () => undefined),
  ]);
  const found = [...scan(prose, codeBefore(markdown.text, sentence.code)), ...inCode];
  return found.sort((a, b) => a.start - b.start);
}

/** The code span that ends at an offset: in `a.ts`:3 it holds the path. */
function codeBefore(
  text: string,
  code: readonly CodeSpan[],
): (end: number) => { path: string; start: number } | undefined {
  const byEnd = new Map(code.map((span) => [span.end, span]));
  return (end) => {
    const span = byEnd.get(end);
    return span && { path: slice(text, span.inside).trim(), start: span.start };
  };
}

function* scan(
  { text, offset, opensWhole }: Stretch,
  codeEndingAt: (end: number) => { path: string; start: number } | undefined,
): Generator<Candidate> {
  // No path reaches back before this: every character is looked at once, however many anchors there are.
  let floor = 0;
  for (const { index } of text.matchAll(anchor)) {
    if (index < floor) continue;
    const numbers = matchAt(lineNumbers, text, index);
    if (numbers === undefined) continue;
    const least = floor;
    floor = numbers.end;
    const ending = matchAt(properEnd, text, numbers.end);
    if (ending === undefined) continue;
    const first = rangeOf(numbers.groups);
    const code = codeEndingAt(offset + index);
    const start = code === undefined ? pathStart(text, least, index) : code.start - offset;
    if (start === undefined) continue;
    const emphasis = ending.groups["emphasis"] ?? "";
    const written = code?.path ?? withoutEmphasis(text.slice(start, index), emphasis);
    const path = normalise(written);
    if (!mayBePath(path)) continue;
    const further = moreRanges(text, numbers.end, first.to);
    floor = further.end;
    yield {
      start: offset + (code === undefined ? index - written.length : start),
      end: offset + further.end,
      paths: [...otherReadings(text, start, index, least, opensWhole), ...variants(path), path],
      ranges: [first, ...further.ranges],
      certain: isCertainlyFile(path, first.from),
    };
  }
}

/**
 * Where the path before `end` begins: behind a delimiter or an unbalanced bracket, so that `(a.ts:3)` and
 * `src/[id]/page.ts:3` both come out right. Undefined where a colon or the floor is met: the tail of something else.
 */
function pathStart(text: string, floor: number, end: number): number | undefined {
  let open = 0;
  for (let at = end - 1; at >= floor; at--) {
    const character = text.charAt(at);
    if (delimiter.test(character)) return at + 1;
    if (character === ":") return /[\w:]/.test(text.charAt(at - 1)) ? undefined : at + 1;
    if (closers.includes(character)) open++;
    if (openers.includes(character) && --open < 0) return at + 1;
  }
  return floor === 0 ? 0 : undefined;
}

/** A path with spaces, from where a link opened; or one with whatever, from the start of the code span. */
function otherReadings(text: string, start: number, end: number, least: number, opensWhole: boolean): string[] {
  const from = Math.max(least, end - longestLink);
  const link = text.slice(from, end).lastIndexOf("](");
  const opening = link !== -1 ? from + link + 2 : opensWhole && least === 0 ? 0 : start;
  if (opening >= start) return [];
  const whole = normalise(text.slice(opening, end).replace(/^</, "").trim());
  const inLink = link !== -1;
  const odd = inLink ? !whole.includes(" ") || whole.includes(")") : false;
  return mayBePath(whole) && !odd && !/[\n:]/.test(whole) ? [whole] : [];
}

/** Other spellings of a path: percent-encoded in a link, or run into a script that puts no spaces between words. */
function variants(path: string): string[] {
  const found: string[] = [];
  if (/%[0-9a-f]{2}/i.test(path)) found.push(decoded(path));
  const ascii = path.replace(/^[^\x00-\x7f]+/, "");
  if (ascii !== path && mayBePath(ascii)) found.push(ascii);
  return found;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function moreRanges(text: string, from: number, after: number): { ranges: LineRange[]; end: number } {
  const ranges: LineRange[] = [];
  let end = from;
  let last = after;
  for (;;) {
    const match = matchAt(furtherLines, text, end);
    if (match === undefined) return { ranges, end };
    const range = rangeOf(match.groups);
    if (range.from <= last) return { ranges, end };
    ranges.push(range);
    ({ end } = match);
    last = range.to;
  }
}

function rangeOf(groups: Record<string, string | undefined>): LineRange {
  const from = Number(groups["from"]);
  const to = groups["to"] ?? groups["endLine"];
  return { from, to: to === undefined ? from : Number(to) };
}

function withoutEmphasis(path: string, emphasis: string): string {
  return emphasis !== "" && path.startsWith(emphasis) ? path.slice(emphasis.length) : path;
}

/** Without `./`, an ellipsis in front, and the backslashes of Markdown. */
function normalise(path: string): string {
  return path
    .replace(/\\([_*[\]()#~])/g, "$1")
    .replace(/^(?:\.{3}|…)\//, "")
    .replace(/^(?:\.\/)+/, "");
}

function matchAt(
  pattern: RegExp,
  text: string,
  at: number,
): { end: number; groups: Record<string, string | undefined> } | undefined {
  const sticky = new RegExp(pattern);
  sticky.lastIndex = at;
  const match = sticky.exec(text);
  return match === null ? undefined : { end: sticky.lastIndex, groups: match.groups ?? {} };
}

function slice(text: string, span: Span): string {
  return text.slice(span.start, span.end);
}
