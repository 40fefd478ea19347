/** Hides secrets in text that comes in pieces, so that none is shown because a piece ends within it. */

import { endWithKey } from "./private-key.ts";

export interface HidingStream {
  /** What can be shown by now. */
  push(piece: string): string;
  /** What was held back. */
  end(): string;
}

/** A line is held back until it ends or is as long as this; then it is parted where words part. */
const longLine = 16_384;
/** A word is held back until it is as long as this: no secret is, so it may be parted anywhere. */
const longWord = 65_536;

/**
 * Works through line after line, a private key being one line, so what comes out depends on the text alone and not on
 * how it was cut. `hasSecrets` must not remember anything.
 */
export function createStream(hide: (text: string) => string, hasSecrets: (text: string) => boolean): HidingStream {
  let held = "";

  /** The lines that are whole; all of them at once where there is nothing to hide, which is nearly always. */
  function take(isLast: boolean): string {
    const lines = linesIn(held, isLast);
    const whole = lines.join("");
    held = held.slice(whole.length);
    return hasSecrets(whole) ? lines.map(hide).join("") : whole;
  }

  return {
    push(piece) {
      held += piece;
      return take(false);
    },
    end: () => take(true),
  };
}

function linesIn(text: string, isLast: boolean): string[] {
  const ended = isLast ? text : text.slice(0, text.lastIndexOf("\n") + 1);
  const lines: string[] = [];
  for (let from = 0; from < text.length;) {
    const end = endOfLine(text, from, ended) ?? (isLast ? text.length : undefined);
    if (end === undefined) break;
    lines.push(text.slice(from, end));
    from = end;
  }
  return lines;
}

/** Where the line ends that begins here; undefined while that cannot be told. `ended`: the lines that have an end. */
function endOfLine(text: string, from: number, ended: string): number | undefined {
  const lineBreak = text.indexOf("\n", from);
  const to = lineBreak === -1 ? text.length : lineBreak + 1;
  if (to - from > longLine) return endOfPart(text, from);
  return lineBreak === -1 ? undefined : endWithKey(ended, from, to);
}

function endOfPart(text: string, from: number): number | undefined {
  for (let at = from + longLine - 1; at >= from; at--) if (partsWords(text, at)) return at + 1;
  for (let at = from + longLine; at < text.length && at < from + longWord; at++)
    if (partsWords(text, at)) return at + 1;
  return text.length >= from + longWord ? from + longWord : undefined;
}

function partsWords(text: string, at: number): boolean {
  return " \t\n,;".includes(text[at] ?? "");
}
