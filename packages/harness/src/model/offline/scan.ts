/** Tells code from comments and strings: one pass over a text, driven by the `quoted` column of its language. */

import type { Language, Quoted } from "./language.ts";

/** What stands at each place of a text, one letter a character: `c` code, `/` comment, `"` string. */
export type Mask = string;

const letters = { code: "c", comment: "/", string: '"' } as const;

/** Code in strings in code: beyond this depth it is no code anyone wrote, and the stack is finite. */
const maxDepth = 30;

/**
 * The mask of a text, as long as the text. What the text does not close runs to its end, or to the end of the line
 * where it may not span lines.
 */
export function maskOf(text: string, language: Language): Mask {
  const opener = openerOf(language);
  const parts: string[] = [];

  function fill(kind: keyof typeof letters, from: number, to: number): number {
    parts.push(letters[kind].repeat(to - from));
    return to;
  }

  /**
   * Masks code from `at` to the text's end, or up to the `}` that closes an interpolation; returns where it stopped.
   */
  function code(at: number, nesting: number): number {
    let depth = 0;
    for (;;) {
      opener.lastIndex = at;
      const found = opener.exec(text);
      if (found === null) return fill("code", at, text.length);
      const quoted = language.quoted.find((_, i) => found.groups?.[`q${i}`] !== undefined);
      if (quoted !== undefined) {
        fill("code", at, found.index);
        at = quotation(quoted, found.index, found[0], nesting);
        continue;
      }
      depth += found[0] === "{" ? 1 : -1;
      if (nesting > 0 && depth < 0) return fill("code", at, found.index);
      at = fill("code", at, found.index + 1);
    }
  }

  function quotation(quoted: Quoted, from: number, start: string, nesting: number): number {
    let at = from;
    let depth = 1;
    const stop = stopOf(quoted, start);
    stop.lastIndex = from + start.length;
    for (let hit = stop.exec(text); hit !== null; hit = stop.exec(text)) {
      const end = hit.index + hit[0].length;
      if (hit.groups?.["code"] !== undefined && nesting < maxDepth) {
        fill(quoted.kind, at, end);
        at = code(end, nesting + 1);
        stop.lastIndex = at + 1;
      } else if (hit.groups?.["again"] !== undefined) {
        depth++;
      } else if (hit.groups?.["end"] !== undefined) {
        depth--;
        if (depth === 0) return fill(quoted.kind, at, end);
      }
    }
    return fill(quoted.kind, at, text.length);
  }

  code(0, 0);
  return parts.join("");
}

/** A text with all that is not code blanked, as long and with the same line breaks, and its brackets. */
export type Code = {
  text: string;
  /** The offset of each opening bracket that is closed, and the one behind its partner. */
  closes: ReadonlyMap<number, number>;
};

/** The code of a text. Brackets pair whatever their shape: code that people are still writing mixes them up. */
export function codeOf(text: string, mask: Mask): Code {
  const parts: string[] = [];
  let at = 0;
  for (const [run] of mask.matchAll(/c+|[^c]+/g)) {
    const part = text.slice(at, at + run.length);
    parts.push(run.startsWith("c") ? part : part.replace(/[^\n]/g, " "));
    at += run.length;
  }
  const code = parts.join("");
  const closes = new Map<number, number>();
  const open: number[] = [];
  for (const { 0: bracket, index } of code.matchAll(/[([{}\])]/g)) {
    if ("([{".includes(bracket)) open.push(index);
    else {
      const start = open.pop();
      if (start !== undefined) closes.set(start, index + 1);
    }
  }
  return { text: code, closes };
}

/** Finds the next place that may end code: the start of something quoted, or a brace. */
function openerOf(language: Language): RegExp {
  const starts = language.quoted.map(({ start }, i) => `(?<q${i}>${start})`);
  return new RegExp([...starts, "[{}]"].join("|"), "gm");
}

/** Finds what matters inside a quotation: an escape, an interpolation, a nested start, or its end. */
function stopOf(quoted: Quoted, start: string): RegExp {
  if (quoted.end === undefined) return /(?<end>)/g;
  const fence = new RegExp(quoted.start, "m").exec(start)?.[1] ?? "";
  const end = quoted.end.replace("$1", fence.replace(/\W/g, "\\$&"));
  const parts = [quoted.spansLines ? `(?<end>${end})` : `(?<end>${end}|$)`];
  if (quoted.escapes) parts.unshift("\\\\[^]");
  if (quoted.nests) parts.unshift(`(?<again>${quoted.start})`);
  if (quoted.interpolation !== undefined) parts.unshift(`(?<code>${quoted.interpolation})`);
  return new RegExp(parts.join("|"), "gm");
}
