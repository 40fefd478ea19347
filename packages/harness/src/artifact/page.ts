/** As much of the lines of a held file as fits into a result. */

import { wellFormedSlice } from "../slice.ts";
import type { HeldFile } from "../workspace/held.ts";
import type { Hit } from "../workspace/workspace.ts";
import type { Line, Lines } from "./lines.ts";

/** Lines at most, and characters of all of them but for the first. */
export type Room = { limit: number; most: number };
/** `more`: there are lines behind the last one. */
export type Page = { lines: readonly Line[]; more: boolean };

/** Bytes of a line that are read, and characters of one that are shown. */
export const lineBytes = 8_000;
const lineLimit = 2_000;
/** Of these, how many stand before a match that is further in. */
const lead = 200;
/** A private key has so many lines at most, of which only the first tells what it is. */
const keyLines = 400;

/** The lines from one on. */
export async function pageFrom(
  { file, lines }: { file: HeldFile; lines: Lines },
  from: number,
  room: Room,
  signal: AbortSignal,
): Promise<Page> {
  const { lines: found, more } = await asRead(lines.from(from, lineBytes, signal), room);
  if (file.hide === undefined || found.length === 0) return { lines: found.map(shortened), more };
  const above: string[] = [];
  for await (const { line, text } of lines.from(Math.max(1, from - keyLines), lineBytes, signal)) {
    if (line === from) break;
    above.push(text);
  }
  return { lines: hidden(file.hide, above, found).map(shortened), more };
}

/** The last so many. */
export async function lastPage(
  { file, lines }: { file: HeldFile; lines: Lines },
  { limit, most }: Room,
  signal: AbortSignal,
): Promise<Page> {
  const found: Line[] = [];
  const wanted = file.hide === undefined ? limit : limit + keyLines;
  for await (const line of lines.last(wanted, lineBytes, signal)) found.push(line);
  const above = found.splice(0, Math.max(0, found.length - limit)).map(({ text }) => text);
  const shown = (file.hide === undefined ? found : hidden(file.hide, above, found)).map(shortened);
  let size = 0;
  const first = shown.findLastIndex(({ text }, index) => (size += text.length + 1) > most && index < shown.length - 1);
  return { lines: shown.slice(first + 1), more: first !== -1 };
}

/** Takes no more than it needs, and ends what it takes from. */
export async function pageOf(lines: AsyncIterable<Line>, room: Room): Promise<Page> {
  const { lines: found, more } = await asRead(lines, room);
  return { lines: found.map(shortened), more };
}

/** Lines that are not cut yet: in a cut one a secret could stand of which too little is left to know it. */
async function asRead(lines: AsyncIterable<Line>, { limit, most }: Room): Promise<Page> {
  const taken: Line[] = [];
  let size = 0;
  for await (const line of lines) {
    size += Math.min(line.text.length, lineLimit) + 1;
    if (taken.length === limit || (taken.length > 0 && size > most)) return { lines: taken, more: true };
    taken.push(line);
  }
  return { lines: taken, more: false };
}

/** A hit as a line: a long one from where the match is. */
export function lineOf({ line, text, column }: Hit): Line {
  if (text.length <= lineLimit || column + lead < lineLimit) return { line, text, cut: false };
  return { line, text: `…${wellFormedSlice(text, column - lead, text.length)}`, cut: false };
}

/** `12<tab>text`. A NUL is written out: not everything that text passes through on the way to a model takes one. */
export function lineText({ line, text, cut }: Line): string {
  return `${line}\t${text.replaceAll("\0", String.raw`\x00`)}${cut ? "… (cut)" : ""}`;
}

function shortened(line: Line): Line {
  if (line.text.length <= lineLimit) return line;
  return { ...line, text: wellFormedSlice(line.text, 0, lineLimit), cut: true };
}

function hidden(hide: (text: string) => string, above: readonly string[], lines: readonly Line[]): Line[] {
  const texts = hide([...above, ...lines.map(({ text }) => text)].join("\n"))
    .split("\n")
    .slice(above.length);
  return lines.map((line, index) => ({ ...line, text: texts[index] ?? "" }));
}
