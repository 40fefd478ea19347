/** Markdown as rows of a width. */

import { Marked, type Token, type Tokens } from "@earendil-works/pi-tui";
import type { Highlight } from "../highlight/highlight.ts";
import { rowsOf, span, widthOf, type Row, type Span } from "../terminal/look.ts";
import { cut, hung, wrapped } from "../terminal/wrap.ts";
import { inlineRows } from "./inline.ts";
import { tableRows } from "./table.ts";

export type Sheet = { width: number; highlight: Highlight; breaks?: boolean | undefined };
/** What is drawn on; a row can hold one wide character at least. */
type Page = { width: number; highlight: Highlight };

const nothing = span("");
const bar = span("│ ", { dim: true });
/** Columns that a row has at least. */
const narrowest = 2;
/** Stars and underscores of one paragraph: how they pair takes the square of their number to find out. */
const marksMost = 1_000;

/** A blank row between blocks, none around them. `breaks`: each line of a paragraph is a line of its own. */
export function markdownRows(source: string, { width, highlight, breaks = false }: Sheet): Row[] {
  return blocksOf(tokensOf(source, breaks), { width: Math.max(narrowest, width), highlight });
}

function tokensOf(source: string, breaks: boolean): Token[] {
  try {
    return new Marked({ breaks }, emphasisWhereMeant()).lexer(source);
  } catch {
    // What is nested thousands of times deep is no Markdown anybody means.
    return [{ type: "code", raw: source, text: source, lang: "" }];
  }
}

/** In a paragraph with more marks than anybody means, they are text. */
function emphasisWhereMeant(): ConstructorParameters<typeof Marked>[0] {
  let last = { paragraph: "", isMeant: true };
  return {
    tokenizer: {
      emStrong(_, paragraph) {
        if (paragraph !== last.paragraph) {
          last = { paragraph, isMeant: paragraph.replaceAll(/[^*_]/g, "").length <= marksMost };
        }
        return last.isMeant ? false : undefined;
      },
    },
  };
}

function blocksOf(tokens: readonly Token[], page: Page): Row[] {
  const blocks = tokens.map((token) => blockRows(token, page)).filter((rows) => rows.length > 0);
  return blocks.flatMap((rows, index) => (index === 0 ? rows : [[], ...rows]));
}

function blockRows(token: Token, page: Page): Row[] {
  const { width } = page;
  if (isList(token)) return listRows(token, page);
  if (isTable(token)) return tableRows(token, width);
  switch (token.type) {
    case "space":
      return [];
    case "heading":
      return wrappedAll(inlineRows(token.tokens ?? [], { bold: true, underline: token["depth"] === 1 }), width);
    case "code":
      return indented(page, span("  "), span("  "), (inner) => {
        return codeRows(String(token["text"]), String(token["lang"] ?? ""), inner);
      });
    case "blockquote":
      return indented(page, bar, bar, (inner) => blocksOf(token.tokens ?? [], inner));
    case "hr":
      return [[span("─".repeat(Math.min(width, 40)), { dim: true })]];
    case "paragraph":
    case "text":
      return wrappedAll(inlineRows(token.tokens ?? [token]), width);
    default: // HTML, definitions: as they stand
      return rowsOf(token.raw.trimEnd()).flatMap((row) => wrapped(row, width));
  }
}

function isList(token: Token): token is Tokens.List {
  return token.type === "list";
}

function isTable(token: Token): token is Tokens.Table {
  return token.type === "table";
}

function codeRows(code: string, language: string, { width, highlight }: Page): Row[] {
  const name = language.split(/[\s,{]/, 1)[0] ?? "";
  return highlight(code, name).flatMap((row) => cut(row, width));
}

function listRows({ items, ordered, start, loose }: Tokens.List, page: Page): Row[] {
  const first = typeof start === "number" ? start : 1;
  const last = String(first + items.length - 1).length;
  return items.flatMap((item, index) => {
    const mark = ordered ? `${String(first + index).padStart(last)}. ` : "- ";
    const box = item.task ? (item.checked === true ? "[x] " : "[ ] ") : "";
    const blocks = item.tokens.filter(({ type }) => type !== "checkbox");
    const hang = span(" ".repeat(mark.length + box.length));
    const shown = indented(page, span(mark + box), hang, (inner) => {
      const rows = itemRows(blocks, inner, item.loose);
      return rows.length === 0 ? [[]] : rows;
    });
    return loose && index > 0 ? [[], ...shown] : shown;
  });
}

/** In a tight list what stands in an item follows it without a blank row. */
function itemRows(tokens: readonly Token[], page: Page, loose: boolean): Row[] {
  return loose ? blocksOf(tokens, page) : tokens.flatMap((token) => blockRows(token, page));
}

/** Rows behind a mark; what is nested too deep for the width stands without. */
function indented(page: Page, first: Span, others: Span, draw: (inner: Page) => Row[]): Row[] {
  const width = page.width - widthOf([others]);
  return width < narrowest ? draw(page) : hung(draw({ ...page, width }), first, others);
}

function wrappedAll(rows: readonly Row[], width: number): Row[] {
  return rows.flatMap((row) => wrapped(row.length === 0 ? [nothing] : row, width));
}
