/** A result of any number of lines: as many as fit are shown, and where these are not all, all are kept to be queried. */

import type { KeptText } from "../process/outputs.ts";
import { wellFormedSlice } from "../slice.ts";
import type { Outputs } from "./outputs.ts";

export interface Listing {
  /** Lines so far. */
  readonly count: number;
  /** Whether the last line was shown, and not only kept. */
  readonly isShown: boolean;
  add(line: string): Promise<void>;
  /** The text of the result, with notes at its end. */
  end(notes: readonly string[]): Promise<string>;
}

/** Characters that are shown, unless less fits; and of one line. */
const mostShown = 20_000;
const lineLimit = 2_000;
/** Room for what is said below the lines. */
const noteSize = 1_000;
/** Characters that are written at a time. */
const pieceSize = 65_536;

/** Memory does not grow with the lines. Without `outputs` what does not fit is counted. */
export function createListing(outputs: Outputs | undefined, resultLimit: number = mostShown + noteSize): Listing {
  const most = Math.min(mostShown, resultLimit - noteSize);
  const shown: string[] = [];
  let size = 0;
  let count = 0;
  let isFull = false;
  let kept: KeptText | undefined;
  let pending = "";

  async function keep(line: string): Promise<void> {
    pending += `${line}\n`;
    if (pending.length < pieceSize) return;
    await kept?.write(pending);
    pending = "";
  }

  return {
    get count() {
      return count;
    },
    get isShown() {
      return !isFull;
    },
    async add(line) {
      count += 1;
      const excerpt = line.length > lineLimit ? `${wellFormedSlice(line, 0, lineLimit)}… (cut)` : line;
      size += excerpt.length + 1;
      if (!isFull && size > most) {
        isFull = true;
        kept = await outputs?.begin();
        for (const one of shown) await keep(one);
      }
      if (!isFull) shown.push(excerpt);
      else if (kept !== undefined) await keep(line);
    },
    async end(notes) {
      await kept?.write(pending);
      const lost = await kept?.end();
      const rest = isFull
        ? [
            restOf(count, shown.length, kept?.id, outputs),
            ...(lost === undefined ? [] : [`kept is only the beginning: ${lost}`]),
          ]
        : [];
      return [...shown, ...[...rest, ...notes].map((note) => `(${note})`)].join("\n");
    },
  };
}

function restOf(count: number, shown: number, id: string | undefined, outputs: Outputs | undefined): string {
  const said = `${shown} of ${count} lines are shown`;
  return id === undefined || outputs === undefined
    ? `${said}: ask for less`
    : `${said}; all are kept: ${outputs.readOn(id)}`;
}
