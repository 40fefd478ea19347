/**
 * The line that the cursor is in: plain text while it only grows, cells by column (erased: "") once it was written over.
 * Columns count characters, from 0.
 */

import { wellFormedSlice } from "../../slice.ts";

/** A line longer than this many characters is given on in parts; what writes over it begins in the last one. */
const maxLine = 16_384;
/** Columns that a command may move the cursor to. */
const maxColumn = 1_000;

export type Erased = "behind" | "before" | "all";

export interface Line {
  /** Writes at the cursor. */
  put(text: string): void;
  /** To the first column. */
  toStart(): void;
  moveTo(column: number): void;
  moveBy(columns: number): void;
  erase(what: Erased): void;
  /** What it shows at the end; the next line begins. */
  take(): string;
}

/** `onPart` gets the first part of a line that is too long. */
export function createLine(onPart: (text: string) => void): Line {
  let text = "";
  let cells: string[] | undefined;
  let column = 0;
  /** After a \r on plain text, which most often is that of a CRLF. */
  let returned = false;

  function asCells(): string[] {
    if (cells !== undefined) return cells;
    cells = Array.from(text);
    column = returned ? 0 : cells.length;
    text = "";
    returned = false;
    return cells;
  }

  function append(more: string): void {
    text += more;
    while (text.length > maxLine) {
      const part = wellFormedSlice(text, 0, maxLine);
      onPart(part);
      text = text.slice(part.length);
    }
  }

  function overwrite(character: string): void {
    const row = asCells();
    while (row.length < column) row.push("");
    row[column] = character;
    column += 1;
    if (row.length <= maxLine) return;
    onPart(shown(row.splice(0, maxLine)));
    column -= maxLine;
  }

  return {
    put(more) {
      if (more === "") return;
      if (cells === undefined && !returned) return append(more);
      for (const character of more) overwrite(character);
    },
    toStart() {
      if (cells === undefined) returned = true;
      else column = 0;
    },
    moveTo(to) {
      const row = asCells();
      column = Math.min(to, Math.max(row.length, maxColumn));
    },
    moveBy(columns) {
      asCells();
      column = columns < 0 ? Math.max(column + columns, 0) : Math.max(column, Math.min(column + columns, maxColumn));
    },
    erase(what) {
      if (what === "behind" && cells === undefined && !returned) return; // nothing stands there
      const row = asCells();
      if (what === "behind") row.length = Math.min(row.length, column);
      if (what === "before") row.fill("", 0, column + 1);
      if (what === "all") row.length = 0;
    },
    take() {
      const line = cells === undefined ? text : shown(trimmed(cells));
      text = "";
      cells = undefined;
      returned = false;
      return line;
    },
  };
}

function shown(cells: readonly string[]): string {
  return cells.map((cell) => (cell === "" ? " " : cell)).join("");
}

/** Without what was erased at the end. */
function trimmed(cells: readonly string[]): readonly string[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell !== "") + 1);
}
