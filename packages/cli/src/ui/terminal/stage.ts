/**
 * What stands on the terminal: rows that were written once and belong to it now, and below them the few rows that are
 * live. A frame touches nothing above the live ones, so the terminal's scrollback stays whole, and of them only those
 * that differ.
 */

import { painted, widthOf, type Row } from "./look.ts";

/** A place in the live rows, from 0. */
export type Spot = { row: number; column: number };
export type Surface = { write(text: string): void; readonly columns: number; readonly rows: number };

export type Stage = {
  /** `done` is written above the live rows and stays; `live` takes their place. Without `cursor` it is not shown. */
  frame(done: readonly Row[], live: readonly Row[], cursor: Spot | undefined): void;
  /** The surface has another width: what is live will be drawn anew. */
  resized(): void;
  /** Pushes all that is shown up into the scrollback. */
  clear(): void;
  /** Takes the live rows away: where they stood, the next frame or another program begins. */
  leave(): void;
  /** Somebody wrote on the terminal: the next frame begins where the cursor is, and what stands above is theirs. */
  forget(): void;
};

const begin = "\u001b[?2026h\u001b[?25l";
const end = "\u001b[?2026l";
/** Live rows never wrap, whatever width a terminal gives to a character: they are counted. */
const clip = "\u001b[?7l";
const wrap = "\u001b[?7h";
const eraseLine = "\u001b[K";
const eraseBelow = "\u001b[J";

export function openStage(surface: Surface, colour: boolean): Stage {
  let drawn: { text: string; width: number }[] = [];
  let at: Spot = { row: 0, column: 0 };
  let columns = surface.columns;
  /** Nothing of what is live can be relied on. */
  let stale = false;

  function move(row: number): string {
    const steps = row - at.row;
    at = { row, column: 0 };
    return `\r${steps < 0 ? `\u001b[${-steps}A` : steps > 0 ? `\u001b[${steps}B` : ""}`;
  }

  /** Everything from the first live row on. */
  function whole(done: readonly Row[], next: typeof drawn): string {
    const above = done.map((row) => `${painted(row, colour)}\r\n`).join("");
    const below = next.map(({ text }) => text).join("\r\n");
    const out = `${move(0)}${eraseBelow}${above}${clip}${below}${wrap}`;
    at = { row: Math.max(0, next.length - 1), column: 0 };
    return out;
  }

  function differences(next: typeof drawn): string {
    let out = clip;
    for (const [index, { text }] of next.entries()) {
      if (drawn[index]?.text === text) continue;
      if (index < drawn.length) out += `${move(index)}${eraseLine}${text}`;
      else {
        out += `${move(Math.max(0, index - 1))}${index === 0 ? "" : "\r\n"}${text}`;
        at = { row: index, column: 0 };
      }
    }
    if (next.length < drawn.length) out += `${move(next.length)}${eraseBelow}`;
    return out + wrap;
  }

  function forget(): void {
    drawn = [];
    at = { row: 0, column: 0 };
  }

  return {
    frame(done, live, cursor) {
      const next = live.map((row) => ({ text: painted(row, colour), width: widthOf(row) }));
      const same = next.length === drawn.length && next.every(({ text }, index) => text === drawn[index]?.text);
      const spot = cursor ?? { row: Math.max(0, next.length - 1), column: 0 };
      if (!stale && done.length === 0 && same && spot.row === at.row && spot.column === at.column) return;
      const body = stale || done.length > 0 ? whole(done, next) : differences(next);
      const home = move(spot.row) + (spot.column === 0 ? "" : `\u001b[${spot.column}C`);
      surface.write(begin + body + home + (cursor === undefined ? "" : "\u001b[?25h") + end);
      at = spot;
      drawn = next;
      columns = surface.columns;
      stale = false;
    },
    resized() {
      // A terminal that got narrower has broken the rows above the cursor; the one it is in, it may have left alone.
      const broken = drawn.slice(0, at.row).map(({ width }) => Math.max(1, Math.ceil(width / surface.columns)));
      if (surface.columns < columns) at = { row: broken.reduce((sum, rows) => sum + rows, 0), column: 0 };
      columns = surface.columns;
      stale = true;
    },
    clear() {
      surface.write(`${begin}${move(0)}${eraseBelow}${"\r\n".repeat(surface.rows)}\u001b[H${end}`);
      forget();
    },
    leave() {
      surface.write(`${move(0)}${eraseBelow}\u001b[?25h`);
      forget();
    },
    forget,
  };
}
