/** A draft on the screen: its lines broken to a width, and where the cursor and every other place of it stand. */

import { pasteLabel, type Draft } from "./draft.ts";
import { span, widthOf, type Row, type Span } from "./look.ts";
import type { Spot } from "./stage.ts";
import { graphemesOf } from "./wrap.ts";

/** `starts`: where in the text each row begins. */
export type Layout = { rows: Row[]; starts: number[]; cursor: Spot };

/** Rows as wide as `width` at most, so that the cursor has a column behind the last character. */
export function layOut(draft: Draft, width: number): Layout {
  const most = Math.max(2, width);
  const rows: Span[][] = [];
  const starts: number[] = [];
  let cursor: Spot = { row: 0, column: 0 };
  let place = 0;
  for (const line of draft.text.split("\n")) {
    let row: Span[] = [];
    let used = 0;
    const open = (): void => {
      row = [];
      used = 0;
      rows.push(row);
      starts.push(place);
    };
    open();
    if (line.length < most && /^[\x20-\x7e]*$/.test(line)) {
      if (line !== "") row.push(span(line));
      const column = draft.cursor - place;
      if (column >= 0 && column <= line.length) cursor = { row: rows.length - 1, column };
      place += line.length + 1;
      continue;
    }
    for (const { segment } of graphemesOf(line)) {
      const shown = pasteLabel(draft, segment);
      const piece = shown === undefined ? span(segment) : span(shown, { inverse: true });
      const size = widthOf([piece]);
      if (used + size > most && used > 0) open();
      if (place === draft.cursor) cursor = { row: rows.length - 1, column: Math.min(used, most) };
      const last = row.at(-1);
      if (shown === undefined && last !== undefined && last.look.inverse !== true) {
        row[row.length - 1] = { text: last.text + piece.text, look: last.look };
      } else row.push(piece);
      used += size;
      place += segment.length;
    }
    if (place === draft.cursor) {
      if (used >= most) open();
      cursor = { row: rows.length - 1, column: used };
    }
    place += 1;
  }
  return { rows, starts, cursor };
}

/** The place one row above the cursor, or below it, at the same column; undefined where there is no such row. */
export function besideRow(draft: Draft, step: -1 | 1, width: number): number | undefined {
  const { starts, cursor } = layOut(draft, width);
  const row = cursor.row + step;
  const start = starts[row];
  if (start === undefined) return undefined;
  const end = Math.max(start, (starts[row + 1] ?? draft.text.length + 1) - 1);
  let column = 0;
  let place = start;
  for (const { segment } of graphemesOf(draft.text.slice(start, end))) {
    const size = widthOf([span(pasteLabel(draft, segment) ?? segment)]);
    if (column + size > cursor.column) break;
    column += size;
    place += segment.length;
  }
  return place;
}
