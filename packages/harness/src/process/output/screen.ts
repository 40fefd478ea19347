/**
 * Output as it would stand on a screen of endless lines: a line that is written over (`\r`, backspace, cursor within the
 * line) shows its final state. Each line is given on when it ends, and then nothing changes it: the cursor never leaves
 * its line.
 */

import { shownByte } from "./characters.ts";
import { createSequences } from "./sequences.ts";
import { wellFormedSlice } from "../../slice.ts";

/** A line longer than this many characters is given on in parts; what writes over it begins in the last one. */
const maxLine = 16_384;
/** Columns that a command may move the cursor to. */
const maxColumn = 1_000;

export interface Screen {
  write(text: string): void;
  /** The unfinished line ends here, without a line feed. */
  end(): void;
}

/** `onText` gets text without control characters but line feed and tab. Its pieces say nothing, only their sum does. */
export function createScreen(onText: (text: string) => void): Screen {
  /** The line: plain text while it only grows, cells by column (erased: "") once it was written over. */
  let line = "";
  let cells: string[] | undefined;
  let column = 0;
  /** After a \r on plain text, which most often is that of a CRLF. */
  let returned = false;
  let ready = "";

  function asCells(): string[] {
    if (cells !== undefined) return cells;
    cells = Array.from(line);
    column = returned ? 0 : cells.length;
    line = "";
    returned = false;
    return cells;
  }

  function lineSoFar(): string {
    if (cells === undefined) return line;
    return trimmed(cells)
      .map((cell) => (cell === "" ? " " : cell))
      .join("");
  }

  function reset(): void {
    line = "";
    cells = undefined;
    returned = false;
  }

  function put(text: string): void {
    if (text === "") return;
    if (cells === undefined && !returned) {
      line += text;
      while (line.length > maxLine) {
        const part = wellFormedSlice(line, 0, maxLine);
        ready += part;
        line = line.slice(part.length);
      }
      return;
    }
    for (const character of text) write(character);
  }

  function write(character: string): void {
    const row = asCells();
    while (row.length < column) row.push("");
    row[column] = character;
    column += 1;
    if (row.length <= maxLine) return;
    const part = row.splice(0, maxLine);
    ready += part.map((cell) => (cell === "" ? " " : cell)).join("");
    column -= maxLine;
  }

  function print(text: string): void {
    const last = text.lastIndexOf("\n");
    if (last === -1) return put(text);
    const first = text.indexOf("\n");
    put(text.slice(0, first));
    ready += lineSoFar() + text.slice(first, last + 1);
    reset();
    put(text.slice(last + 1));
  }

  function control(character: string): void {
    if (character === "\r") {
      if (cells === undefined) returned = true;
      else column = 0;
    } else if (character === "\b") {
      asCells();
      column = Math.max(column - 1, 0);
    } else if (!silent.includes(character)) put(shownByte(character.charCodeAt(0)));
  }

  function command(final: string, parameters: string): void {
    if (!"CDGK".includes(final)) return; // colours, and movements to other lines
    if (final === "K" && parameters === "" && cells === undefined && !returned) return; // nothing stands behind
    const row = asCells();
    const given = /^\d+$/.test(parameters) ? Number(parameters) : undefined;
    const count = Math.max(given ?? 1, 1);
    if (final === "C") column = Math.max(column, Math.min(column + count, maxColumn));
    if (final === "D") column = Math.max(column - count, 0);
    if (final === "G") column = Math.min(count - 1, Math.max(row.length, maxColumn));
    if (final === "K") erase(row, given ?? 0);
  }

  function erase(row: string[], what: number): void {
    if (what === 0) row.length = Math.min(row.length, column);
    if (what === 1) row.fill("", 0, column + 1);
    if (what === 2) row.length = 0;
  }

  function release(): void {
    const text = ready;
    ready = "";
    if (text !== "") onText(text);
  }

  const hear = createSequences({ print, control, command });
  return {
    write(text) {
      hear(text);
      release();
    },
    end() {
      ready += lineSoFar();
      reset();
      release();
    },
  };
}

/** Bell, and the switches between character sets: nothing to see. */
const silent = "\x07\x0e\x0f";

/** Without what was erased at the end. */
function trimmed(cells: readonly string[]): readonly string[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell !== "") + 1);
}
