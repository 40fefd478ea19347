/**
 * Output as it would stand on a screen of endless lines: a line that is written over (`\r`, backspace, cursor within the
 * line) shows its final state. Each line is given on when it ends, and then nothing changes it: the cursor never leaves
 * its line.
 */

import { shownByte } from "./characters.ts";
import { createLine, type Erased } from "./line.ts";
import { createSequences } from "./sequences.ts";

export interface Screen {
  write(text: string): void;
  /** The unfinished line ends here, without a line feed. */
  end(): void;
}

/** `onText` gets text without control characters but line feed and tab. Its pieces say nothing, only their sum does. */
export function createScreen(onText: (text: string) => void): Screen {
  let ready = "";
  const line = createLine((part) => {
    ready += part;
  });

  function print(text: string): void {
    const last = text.lastIndexOf("\n");
    if (last === -1) return line.put(text);
    const first = text.indexOf("\n");
    line.put(text.slice(0, first));
    ready += line.take() + text.slice(first, last + 1);
    line.put(text.slice(last + 1));
  }

  function control(character: string): void {
    if (character === "\r") line.toStart();
    else if (character === "\b") line.moveBy(-1);
    else if (!silent.includes(character)) line.put(shownByte(character.charCodeAt(0)));
  }

  /** Colours, and movements to other lines, do nothing. */
  function command(final: string, parameters: string): void {
    const given = /^\d+$/.test(parameters) ? Number(parameters) : undefined;
    const count = Math.max(given ?? 1, 1);
    if (final === "C") line.moveBy(count);
    if (final === "D") line.moveBy(-count);
    if (final === "G") line.moveTo(count - 1);
    const erased = erasures[given ?? 0];
    if (final === "K" && erased !== undefined) line.erase(erased);
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
      ready += line.take();
      release();
    },
  };
}

/** By the number that the command gives. */
const erasures: readonly Erased[] = ["behind", "before", "all"];

/** Bell, and the switches between character sets: nothing to see. */
const silent = "\x07\x0e\x0f";
