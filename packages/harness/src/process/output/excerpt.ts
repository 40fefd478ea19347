/** Start and end of a text that may be endless. */

import { wellFormedSlice } from "../../slice.ts";

/** Characters of an excerpt in all, and of its start where something is left out: what went wrong is told at the end. */
export const excerptLimit = 30_000;
const headSize = 10_000;
/** Room for what is said of the part left out. */
const noteSize = 100;
const tailSize = excerptLimit - headSize - noteSize;
/** How far a cut is moved to fall between two lines. */
const slack = 500;

export interface Excerpt {
  /** Characters added so far. */
  readonly length: number;
  add(text: string): void;
  /** All of it if it is short enough; else start and end, and between them how much is left out. */
  text(): string;
}

/** Memory stays within some `excerptLimit` characters and the largest piece added, however much that is. */
export function createExcerpt(): Excerpt {
  let head = "";
  let tail: string[] = [];
  let kept = 0;
  let length = 0;
  return {
    get length() {
      return length;
    },
    add(text) {
      length += text.length;
      const start = tail.length > 0 ? "" : wellFormedSlice(text, 0, Math.min(headSize - head.length, text.length));
      const rest = text.slice(start.length);
      head += start;
      if (rest === "") return;
      tail.push(rest);
      kept += rest.length;
      if (kept <= 2 * excerptLimit) return;
      // Joined, so that the pieces cut from large strings do not keep these alive.
      const end = Buffer.from(tail.join("").slice(-excerptLimit), "utf16le").toString("utf16le");
      tail = [end];
      kept = end.length;
    },
    text() {
      const end = tail.join("");
      if (length <= excerptLimit) return head + end;
      const first = startOf(head);
      const last = endOf(wellFormedSlice(end, end.length - tailSize, end.length));
      const left = length - first.length - last.length;
      return `${withLineEnd(first)}… (${left} characters left out) …\n${last}`;
    },
  };
}

function startOf(text: string): string {
  const line = text.lastIndexOf("\n") + 1;
  return line > text.length - slack ? text.slice(0, line) : text;
}

function endOf(text: string): string {
  const line = text.indexOf("\n") + 1;
  return line < slack ? text.slice(line) : text;
}

function withLineEnd(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
