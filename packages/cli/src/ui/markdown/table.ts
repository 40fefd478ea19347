/** A table of Markdown, its columns as wide as they need to be and as narrow as they must. */

import type { Tokens } from "@earendil-works/pi-tui";
import { span, widthOf, type Row } from "../terminal/look.ts";
import { wrapped } from "../terminal/wrap.ts";
import { inlineRows } from "./inline.ts";

/** Columns a cell gets at least; a table that cannot have them is shown as pairs, one a row. */
const least = 4;
const bar = span(" │ ", { dim: true });

export function tableRows({ header, rows, align }: Tokens.Table, width: number): Row[] {
  const head = header.map(({ tokens }) => flat(inlineRows(tokens, { bold: true })));
  const body = rows.map((row) => row.map(({ tokens }) => flat(inlineRows(tokens))));
  const room = width - 3 * (head.length - 1);
  if (room < head.length * least) return pairs(head, body, width);
  const widths = fitted(
    head.map((cell, column) => Math.max(1, widthOf(cell), ...body.map((row) => widthOf(row[column] ?? [])))),
    room,
  );
  const line = (cells: readonly Row[]): Row[] => {
    const parts = widths.map((size, column) => wrapped(cells[column] ?? [], size));
    const height = Math.max(...parts.map(({ length }) => length));
    return Array.from({ length: height }, (_, index) =>
      widths.flatMap((size, column) => [
        ...(column === 0 ? [] : [bar]),
        ...aligned(parts[column]?.[index] ?? [], size, align[column] ?? null),
      ]),
    );
  };
  const rule = [span(widths.map((size) => "─".repeat(size)).join("─┼─"), { dim: true })];
  return [...line(head), rule, ...body.flatMap(line)];
}

/** The widest columns give way first. */
function fitted(widths: readonly number[], room: number): number[] {
  const sum = widths.reduce((all, size) => all + size, 0);
  if (sum <= room) return [...widths];
  let most = Math.floor(room / widths.length);
  // What narrow columns leave is shared by the wide ones.
  for (let round = 0; round < widths.length; round += 1) {
    const narrow = widths.filter((size) => size <= most);
    const wide = widths.length - narrow.length;
    if (wide === 0) break;
    most = Math.floor((room - narrow.reduce((all, size) => all + size, 0)) / wide);
  }
  return widths.map((size) => Math.max(Math.min(2, size), Math.min(size, most)));
}

function aligned(cell: Row, size: number, align: "center" | "left" | "right" | null): Row {
  const rest = Math.max(0, size - widthOf(cell));
  const before = align === "right" ? rest : align === "center" ? Math.floor(rest / 2) : 0;
  return [span(" ".repeat(before)), ...cell, span(" ".repeat(rest - before))];
}

function pairs(head: readonly Row[], body: readonly (readonly Row[])[], width: number): Row[] {
  return body.flatMap((row) =>
    row.flatMap((cell, column) => wrapped([...(head[column] ?? []), span(": "), ...cell], width)),
  );
}

function flat(rows: readonly Row[]): Row {
  return rows.flatMap((row, index) => (index === 0 ? row : [span(" "), ...row]));
}
