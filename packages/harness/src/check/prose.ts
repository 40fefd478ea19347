/**
 * Markdown as far as citations need it: sentences and code spans, code blocks left out. Offsets count UTF-16 units of
 * the whole text. Runs in linear time on any input.
 */

export type Span = { start: number; end: number };
/** A code span with its backticks; `inside` is what stands between them. */
export type CodeSpan = Span & { inside: Span };
export type Sentence = Span & { code: readonly CodeSpan[] };
/** `prose` is the text with every code span overwritten by backticks, so offsets are those of the text. */
export type Markdown = { text: string; prose: string; sentences: readonly Sentence[] };

const fenceLine = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(`{3,}(?=[^`]*$)|~{3,})/;
const blankLine = /^[\s>]*$/;
const indentedLine = /^(?: {4}|\t)/;
const listItem = /^[\s>]*(?:[-*+]|\d{1,9}[.)])\s/;
const ownLine = /^[\s>]*(?:\||#{1,6}\s)/;
/** A full stop, what may close after it, and white space before anything that does not go on in lower case. */
const sentenceEnd = /[.!?][)"'\]*_]*\s+(?=[^\s\p{Ll}])/gu;
const abbreviation = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|resp)$/i;

/**
 * Splits a text into sentences. A list item, a heading and a table row each end one; a line break in a paragraph does
 * not.
 */
export function readMarkdown(text: string): Markdown {
  const blocks = [...blocksOf(text)].map(({ start, end }) => ({ start, end, code: codeSpansOf(text, { start, end }) }));
  const prose = overwrite(
    text,
    blocks.flatMap((block) => block.code),
  );
  return { text, prose, sentences: blocks.flatMap((block) => splitSentences(prose, block)) };
}

function* blocksOf(text: string): Generator<Span> {
  let block: Span | undefined;
  let fence: string | undefined;
  let inList = false;
  let inIndentedCode = false;
  for (const { start, end } of linesOf(text)) {
    const line = text.slice(start, end);
    const mark = fenceLine.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true && line.trimEnd().endsWith(mark)) fence = undefined;
      continue;
    }
    if (mark === undefined && !blankLine.test(line)) {
      inIndentedCode = indentedLine.test(line) && !inList && (inIndentedCode || block === undefined);
      if (inIndentedCode) continue;
      const startsBlock = listItem.test(line) || ownLine.test(line);
      if (listItem.test(line)) inList = true;
      else if (block === undefined && !indentedLine.test(line)) inList = /^\s/.test(line) && inList;
      if (block !== undefined && !startsBlock) {
        block.end = end;
        continue;
      }
      if (block !== undefined) yield block;
      block = { start, end };
      if (!ownLine.test(line)) continue;
    }
    if (block !== undefined) yield block;
    block = undefined;
    fence = mark;
  }
  if (block !== undefined) yield block;
}

function* linesOf(text: string): Generator<Span> {
  for (let start = 0; start <= text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    yield { start, end };
    start = end + 1;
  }
}

/** A run of backticks opens a span that the next run of the same length closes; a run without partner is plain text. */
function codeSpansOf(text: string, block: Span): CodeSpan[] {
  const runs = [...text.slice(block.start, block.end).matchAll(/`+/g)].map((run) => ({
    start: block.start + run.index,
    end: block.start + run.index + run[0].length,
    length: run[0].length,
  }));
  // A run opens nothing if it is the last of its length: known beforehand, one pass is enough.
  const last = new Map(runs.map((run, at) => [run.length, at]));
  const spans: CodeSpan[] = [];
  let open: (typeof runs)[number] | undefined;
  for (const [at, run] of runs.entries()) {
    if (open === undefined) {
      if (last.get(run.length) !== at) open = run;
    } else if (run.length === open.length) {
      spans.push({ start: open.start, end: run.end, inside: { start: open.end, end: run.start } });
      open = undefined;
    }
  }
  return spans;
}

function overwrite(text: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of spans) {
    parts.push(text.slice(at, start), "`".repeat(end - start));
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

function splitSentences(prose: string, block: Span & { code: readonly CodeSpan[] }): Sentence[] {
  const words = prose.slice(block.start, block.end);
  const ends: number[] = [];
  for (const match of words.matchAll(sentenceEnd)) {
    if (abbreviation.test(words.slice(Math.max(0, match.index - 8), match.index))) continue;
    ends.push(block.start + match.index + match[0].length);
  }
  ends.push(block.end);
  const sentences: Sentence[] = [];
  let start = block.start;
  let next = 0;
  for (const end of ends) {
    const code: CodeSpan[] = [];
    for (let span = block.code[next]; span !== undefined && span.end <= end; span = block.code[++next]) code.push(span);
    sentences.push({ start, end, code });
    start = end;
  }
  return sentences;
}
