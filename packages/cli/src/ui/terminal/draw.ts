/** Blocks as rows. The first two columns are croft's: nothing that others wrote begins there. */

import type { Highlight } from "../highlight/highlight.ts";
import { markdownRows } from "../markdown/draw.ts";
import { plural } from "../plural.ts";
import type { Block, Tone } from "./block.ts";
import { callRows } from "./draw-call.ts";
import { changesRows } from "./draw-changes.ts";
import { rowsOf, span, type Look, type Row } from "./look.ts";
import { cut, hung, wrapped } from "./wrap.ts";

export type Page = { width: number; highlight: Highlight };

/** Columns in front of everything. */
const gutter = 2;
const margin = span("  ");
/** Rows of what the person said, and of a call in full, before the rest is only counted. */
const askedMost = 30;
const recordMost = 500;

const tones: Readonly<Record<Tone, Look>> = {
  plain: {},
  dim: { dim: true },
  bad: { colour: "red" },
  good: { colour: "green" },
};

/** The block, a blank row before it where it parts from what came before. */
export function blockRows(block: Block, before: Block | undefined, page: Page): Row[] {
  const rows = bare(block, { ...page, width: Math.max(2, page.width - gutter) });
  return parted(block, before) && before !== undefined ? [[], ...rows] : rows;
}

/** Markdown that is not complete yet. */
export function unfinishedRows(source: string, begun: boolean, page: Page): Row[] {
  if (source.trim() === "") return [];
  return bare({ type: "answer", source, first: !begun }, { ...page, width: Math.max(2, page.width - gutter) });
}

function bare(block: Block, page: Page): Row[] {
  const { width } = page;
  switch (block.type) {
    case "asked": {
      const rows = rowsOf(block.text.trimEnd()).flatMap((row) => wrapped(row, width));
      return hung(cutOff(rows, askedMost), span("› ", { bold: true, colour: "cyan" }), margin);
    }
    case "answer": {
      const mark = block.first ? span("• ", { bold: true }) : margin;
      return hung(markdownRows(block.source, page), mark, margin);
    }
    case "thought":
      return indented(rowsOf(block.text, { dim: true, italic: true }).flatMap((row) => wrapped(row, width)));
    case "told":
      return indented(markdownRows(block.markdown, { ...page, breaks: true }));
    case "lines":
      return indented(block.lines.flatMap((line) => wrapped([span(line, tones[block.tone])], width)));
    case "action":
      return indented(block.lines.flatMap((line) => cut(withGapsTold(line), width)));
    case "call":
      return callRows(block.call, width + gutter);
    case "changes":
      return indented(changesRows(block.changes, width, block.limits));
    case "record": {
      const head = [span("▾ ", { colour: "cyan" }), span(block.name, { bold: true })];
      const given = rowsOf(JSON.stringify(block.input, undefined, 2) ?? "", { dim: true });
      const rows = [...given, ...rowsOf(block.result)].flatMap((row) => wrapped(row, width));
      return [head, ...indented(cutOff(rows, recordMost))];
    }
  }
  return block satisfies never;
}

/** Calls stand together, and so do the blocks of one kind that are lines. */
function parted(block: Block, before: Block | undefined): boolean {
  const dense = new Set<Block["type"]>(["call", "thought", "lines", "changes"]);
  return !(dense.has(block.type) && before?.type === block.type);
}

/** A run of blanks could push the rest of a command out of sight: it is told instead. */
function withGapsTold(line: string): Row {
  return line.split(/( {12,})/).map((part) => {
    const blanks = / {12,}/.test(part);
    return blanks ? span(`[${part.length} blanks]`, { inverse: true }) : span(part, { bold: true });
  });
}

function indented(rows: readonly Row[]): Row[] {
  return rows.map((row) => [margin, ...row]);
}

function cutOff(rows: readonly Row[], most: number): Row[] {
  if (rows.length <= most) return [...rows];
  return [...rows.slice(0, most), [span(`… (+${plural(rows.length - most, "more row")})`, { dim: true })]];
}
