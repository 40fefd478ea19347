/** In words: how a text differs from the place of a file that is like it. */

import { dashes, dropped, quotes, type Region } from "./fold.ts";
import { lineAt } from "./source.ts";

/** More differences than this are not looked for. */
const maxFound = 4;
const maxLine = 120;

/**
 * One phrase for each kind of difference between the region and `asked`, which fold to the same text. `what`: how
 * `asked` is called.
 */
export function differences(text: string, region: Region, asked: string, what: string): string[] {
  const found = new Map<string, string>();
  const lead = blanksFrom(asked, 0);
  let there = region.from;
  let here = lead.length;
  const add: Add = (kind, actual, wanted, linesOn = 0) => {
    if (found.has(kind) || found.size >= maxFound) return;
    found.set(kind, `line ${lineAt(text, there) + linesOn}: ${kind}: ${actual} in the file, ${wanted} in ${what}`);
  };
  compareLead(blanksBefore(text, there, lead), lead, add);
  while (here < asked.length && there < text.length) {
    compareCharacters(text.charAt(there), asked.charAt(here), add);
    const actual = blanksFrom(text, there + 1);
    const wanted = blanksFrom(asked, here + 1);
    const isLast = here + 1 + wanted.length >= asked.length;
    if (!isLast || !actual.startsWith(wanted)) {
      if (isLast && there + 1 + actual.length >= text.length && actual === "" && wanted === "\n") {
        add("end of the file", "no line break", "one");
      } else compareBlanks(isLast ? actual.slice(0, wanted.length) : actual, wanted, add);
    }
    there += 1 + actual.length;
    here += 1 + wanted.length;
  }
  return [...found.values()];
}

/** The first line of the region that is not as in `asked`, beside the line there. */
export function firstUnequalLine(text: string, region: Region, asked: string, what: string): string {
  const lines = text.slice(region.from, region.to).split("\n");
  const wanted = asked.split("\n");
  const at = Math.max(
    0,
    wanted.findIndex((line, index) => line !== lines[index]),
  );
  const number = lineAt(text, region.from) + at;
  return `line ${number} is ${quote(lines[at])} in the file, ${quote(wanted[at])} in ${what}`;
}

function quote(line: string | undefined): string {
  if (line === undefined) return "missing";
  return JSON.stringify(line.length > maxLine ? `${line.slice(0, maxLine)}…` : line);
}

/** `linesOn`: so many lines behind the character that has been reached. */
type Add = (kind: string, actual: string, wanted: string, linesOn?: number) => void;

function compareCharacters(actual: string, wanted: string, add: Add): void {
  if (actual === wanted) return;
  const kind = quotes.test(actual) ? "quotes" : dashes.test(actual) ? "dashes" : "case";
  add(kind, named(actual), named(wanted));
}

/** What stands before the first character; line breaks in it belong to lines before. */
function compareLead(actual: string, wanted: string, add: Add): void {
  if (wanted === "" || actual === wanted) return;
  if (wanted.includes("\n")) compareBlanks(actual, wanted, add);
  else add("indentation", blanks(actual), blanks(wanted));
}

function compareBlanks(actual: string, wanted: string, add: Add): void {
  if (actual === wanted) return;
  const there = actual.split("\n");
  const here = wanted.split("\n");
  if (there.length !== here.length) {
    add("line breaks", JSON.stringify(actual), JSON.stringify(wanted));
    return;
  }
  for (const [index, run] of there.entries()) {
    const other = here[index] ?? "";
    if (run !== other) add(kindOf(index, there.length), blanks(run), blanks(other), index);
  }
}

function kindOf(index: number, lines: number): string {
  if (lines === 1) return "blanks";
  if (index === lines - 1) return "indentation";
  return index === 0 ? "blanks at the end" : "blanks in an empty line";
}

/** Characters that are dropped in folding, from a place on. */
function blanksFrom(text: string, from: number): string {
  let to = from;
  while (to < text.length && dropped.test(text.charAt(to))) to += 1;
  return text.slice(from, to);
}

/** Such characters before a place, no more lines of them than `like` has. */
function blanksBefore(text: string, to: number, like: string): string {
  let breaks = like.split("\n").length - 1;
  let from = to;
  while (from > 0 && dropped.test(text.charAt(from - 1))) {
    if (text.charAt(from - 1) === "\n" && breaks-- === 0) break;
    from -= 1;
  }
  // Where whole lines begin before it, only as much is compared as was asked for.
  return like.includes("\n") ? text.slice(Math.max(from, to - like.length), to) : text.slice(from, to);
}

/** As "1 tab and 2 spaces". */
function blanks(run: string): string {
  if (run === "") return "none";
  const parts = run.match(/(.)\1*/gs) ?? [];
  return parts.map((part) => `${part.length} ${blankName(part.charAt(0), part.length)}`).join(" and ");
}

const blankNames: Readonly<Record<string, string>> = { " ": "space", "\t": "tab", "\r": "carriage return" };

function blankName(character: string, count: number): string {
  const name = blankNames[character];
  return name === undefined ? codePoint(character) : `${name}${count === 1 ? "" : "s"}`;
}

function named(character: string): string {
  return character.charCodeAt(0) < 0x7f ? character : `${character} (${codePoint(character)})`;
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
