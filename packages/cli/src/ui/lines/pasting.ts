/** Pastes told apart from typing: readline would take each line feed of one as the end of what is entered. */

import { Transform } from "node:stream";
import type { Input } from "../../io.ts";
import { partOf, pasteEnd, pasteStart } from "../paste-marks.ts";

/** Milliseconds in which the rest of a mark follows its beginning; an escape that is alone longer is a key. */
const restMs = 50;

export type Pasting = {
  /** What readline reads: keys, and of a paste of several lines a word that stands for it. */
  keys: Input;
  /** A text as it can stand in a line. */
  taken(text: string): string;
  /** A line as it was meant: pastes in the place of their words. */
  whole(line: string): string;
  /** Raw once more, also where the terminal is not what Node takes it for. */
  rawAgain(): void;
  close(): void;
};

/**
 * A paste is what stands between the terminal's marks, and where it sets none, a piece in which a line feed comes before
 * other text: nobody types so fast. A paste of one line is typed; one of several is held back.
 */
export function withoutPastes(input: Input): Pasting {
  const held = new Map<string, string>();
  let paste: string | undefined;
  let partial = "";
  let alone: NodeJS.Timeout | undefined;
  const decoder = new TextDecoder();

  function take(text: string): string {
    const plain = text.replaceAll(/\r\n?/g, "\n").replaceAll(/[\x00-\x08\x0b-\x1f\x7f]/g, "");
    if (!plain.includes("\n")) return plain.replaceAll("\t", "  ");
    const word = `[pasted ${held.size + 1}: ${plain.split("\n").length} lines]`;
    held.set(word, plain);
    return word;
  }

  /** Marks may be split over two pieces. */
  function split(text: string): string {
    let out = "";
    let rest = text;
    for (;;) {
      const mark = paste === undefined ? pasteStart : pasteEnd;
      const at = rest.indexOf(mark);
      if (at === -1) {
        const cut = rest.length - partOf(mark, rest);
        partial = rest.slice(cut);
        if (paste === undefined) return out + rest.slice(0, cut);
        paste += rest.slice(0, cut);
        return out;
      }
      if (paste === undefined) {
        out += rest.slice(0, at);
        paste = "";
      } else {
        out += take(paste + rest.slice(0, at));
        paste = undefined;
      }
      rest = rest.slice(at + mark.length);
    }
  }

  function release(): void {
    const key = partial;
    partial = "";
    keys.push(key);
  }

  const keys = new Transform({
    transform(chunk: Buffer, _, done) {
      clearTimeout(alone);
      const text = partial + decoder.decode(chunk, { stream: true });
      partial = "";
      const isBurst = paste === undefined && !text.includes(pasteStart) && /[\r\n][^\r\n]/.test(text);
      const out = isBurst ? take(text) : split(text);
      if (partial !== "" && paste === undefined) alone = setTimeout(release, restMs);
      done(undefined, out);
    },
  });
  input.pipe(keys);

  return {
    keys: Object.assign(keys, { isTTY: true, setRawMode: (raw: boolean) => setRaw(input, raw) }),
    taken: take,
    whole: (line) => line.replaceAll(/\[pasted \d+: \d+ lines\]/g, (word) => held.get(word) ?? word),
    rawAgain() {
      setRaw(input, false);
      setRaw(input, true);
    },
    close() {
      clearTimeout(alone);
      input.unpipe(keys);
      input.pause();
    },
  };
}

function setRaw(input: Input, raw: boolean): void {
  if ("setRawMode" in input && typeof input.setRawMode === "function") input.setRawMode(raw);
}
