/** Rows that fit: words kept whole where they can be, graphemes and what is two columns wide always. */

import { visibleWidth } from "@earendil-works/pi-tui";
import type { Row, Span } from "./look.ts";

/** What must not be parted: a word through all its looks, one wide character, or a run of spaces. */
type Atom = { spans: Span[]; width: number; space: boolean };

/**
 * Breaks at spaces and between wide characters. At least one row; none is wider than `width` (2 at least), but for
 * a character that alone is.
 */
export function wrapped(row: Row, width: number): Row[] {
  const most = Math.max(2, width);
  const rows: Row[] = [];
  let line: Atom[] = [];
  let used = 0;
  const end = (): void => {
    while (line.length > 1 && line.at(-1)?.space === true) line.pop();
    rows.push(line.flatMap(({ spans }) => spans));
    line = [];
    used = 0;
  };
  for (const atom of atomsOf(row)) {
    if (used + atom.width > most && used > 0) end();
    // A space at which a line was broken stands for the break.
    if (atom.space && used === 0 && rows.length > 0) continue;
    const [first, ...more] = atom.width > most ? cut(atom.spans, most) : [atom.spans];
    for (const spans of [first ?? [], ...more]) {
      if (used > 0 && more.length > 0) end();
      const size = atom.width > most ? spans.reduce((sum, { text }) => sum + visibleWidth(text), 0) : atom.width;
      line.push({ spans: [...spans], width: size, space: atom.space });
      used += size;
    }
  }
  if (line.length > 0 || rows.length === 0) end();
  return rows;
}

/** Breaks wherever a row is full, as a terminal would. */
export function cut(row: Row, width: number): Row[] {
  const most = Math.max(2, width);
  const rows: Span[][] = [[]];
  let used = 0;
  for (const { text, look } of row) {
    let part = "";
    for (const { segment, width } of graphemesOf(text)) {
      if (used + width > most) {
        if (part !== "") rows.at(-1)?.push({ text: part, look });
        rows.push([]);
        part = "";
        used = 0;
      }
      part += segment;
      used += width;
    }
    if (part !== "") rows.at(-1)?.push({ text: part, look });
  }
  return rows;
}

/** One row; what does not fit is shown as `…`. */
export function clipped(row: Row, width: number): Row {
  const most = Math.max(2, width);
  const whole = row.reduce((sum, { text }) => sum + visibleWidth(text), 0);
  if (whole <= most) return row;
  const [first = []] = most < 3 ? [] : cut(row, most - 1);
  return [...first, { text: "…", look: first.at(-1)?.look ?? {} }];
}

/** `first` before the first row, `rest` before all others. */
export function hung(rows: readonly Row[], first: Span, rest: Span): Row[] {
  return rows.map((row, index) => [index === 0 ? first : rest, ...row]);
}

/** Graphemes with their columns; plain ASCII needs no segmenter. */
export function* graphemesOf(text: string): Generator<{ segment: string; width: number }> {
  if (/^[\x20-\x7e]*$/.test(text)) {
    for (const segment of text) yield { segment, width: 1 };
    return;
  }
  for (const { segment } of new Intl.Segmenter().segment(text)) yield { segment, width: visibleWidth(segment) };
}

function atomsOf(row: Row): Atom[] {
  const atoms: Atom[] = [];
  let open = false; // whether the last atom is a word that may go on
  for (const { text, look } of row) {
    for (const part of text.match(/ +|[^ ]+/g) ?? []) {
      const space = part.startsWith(" ");
      if (space) {
        atoms.push({ spans: [{ text: part, look }], width: part.length, space });
        open = false;
        continue;
      }
      for (const run of runsOf(part)) {
        const last = atoms.at(-1);
        const piece = { text: run.text, look };
        if (open && !run.wide && last !== undefined) {
          last.spans.push(piece);
          last.width += run.width;
        } else atoms.push({ spans: [piece], width: run.width, space });
        open = !run.wide;
      }
    }
  }
  return atoms;
}

/** A word in runs: wide characters one by one, all else together. */
function runsOf(word: string): { text: string; width: number; wide: boolean }[] {
  if (/^[\x20-\x7e]*$/.test(word)) return [{ text: word, width: word.length, wide: false }];
  const runs: { text: string; width: number; wide: boolean }[] = [];
  for (const { segment, width } of graphemesOf(word)) {
    const last = runs.at(-1);
    if (width < 2 && last !== undefined && !last.wide) {
      last.text += segment;
      last.width += width;
    } else runs.push({ text: segment, width, wide: width >= 2 });
  }
  return runs;
}
