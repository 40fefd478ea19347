/** Where the hunks of a patch belong in a file: only where their lines stand exactly, and only where that is certain. */

import { Failure } from "../../error.ts";
import { showPath } from "../../workspace/text/show-path.ts";
import { explainMiss } from "../miss.ts";
import { occurrences } from "../occurrences.ts";
import type { Source } from "../source.ts";
import type { Hunk } from "./patch.ts";

/** A file by its lines. */
export type FileLines = {
  readonly source: Source;
  readonly lines: readonly string[];
  /** The same number stands for the same line, in `ids` and in what `idOf` gives. */
  readonly ids: Int32Array;
  idOf(line: string): number;
  /** Its last line has no line break. */
  readonly isOpen: boolean;
};

/** So many places are named, and looked for, where a hunk fits more than once. */
const maxNamed = 10;

export function fileLines(source: Source): FileLines {
  const lines = source.text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const known = new Map<string, number>();
  const ids = Int32Array.from(lines, (line) => {
    const id = known.get(line) ?? known.size;
    known.set(line, id);
    return id;
  });
  const isOpen = source.text !== "" && !source.text.endsWith("\n");
  return { source, lines, ids, idOf: (line) => known.get(line) ?? -1, isOpen };
}

/** The lines of the old file that a hunk shows. */
export function oldLines(hunk: Hunk): string[] {
  return hunk.lines.filter(({ kind }) => kind !== "+").map(({ text }) => text);
}

/**
 * For each hunk the index of the line it begins at (after the last: the end of the file). Of several places where its
 * lines stand, one is certain only if the line number of the hunk or the line of its anchor leads exactly there; and
 * line numbers count only if no hunk of the file has been found to stand elsewhere than it says.
 *
 * Throws E_NO_MATCH and E_AMBIGUOUS.
 */
export function locate(file: FileLines, hunks: readonly Hunk[]): number[] {
  const found = hunks.map((hunk) => placesOf(file, hunk));
  const isShifted = hunks.some((hunk, index) => {
    const [place, second] = found[index] ?? [];
    return hunk.oldStart !== undefined && place !== undefined && second === undefined && place !== stated(hunk);
  });
  return hunks.map((hunk, index) => choose(file, hunk, found[index] ?? [], isShifted));
}

/** Where the hunk says that it begins. With no old lines it says after which line it is put. */
function stated(hunk: Hunk): number | undefined {
  if (hunk.oldStart === undefined) return undefined;
  return hunk.lines.every(({ kind }) => kind === "+") ? hunk.oldStart : hunk.oldStart - 1;
}

function choose(file: FileLines, hunk: Hunk, places: readonly number[], isShifted: boolean): number {
  const anchors = anchorsOf(file, hunk);
  const old = oldLines(hunk);
  if (old.length === 0) return insertion(file, hunk, anchors);
  if (places.length === 0) throw unplaced(file, hunk, old);
  const exact = isShifted ? undefined : stated(hunk);
  if (exact !== undefined && fits(file, hunk, exact)) return exact;
  const beside = places.filter((place) => anchors.some((anchor) => place === anchor || place === anchor + 1));
  const first = anchors[0] ?? 0;
  const after = places.filter((place) => place >= first);
  const [place, second] = beside.length === 1 ? beside : anchors.length > 1 && places.length > 1 ? places : after;
  if (place === undefined) {
    throw noMatch(file, `${nameOf(hunk)} stands in it only before the line of its @@ anchor`);
  }
  if (second !== undefined) throw ambiguous(file, hunk, after, "Take in more lines around the change.");
  return place;
}

/** A hunk without old lines: nothing but an anchor, or the end of the file, says where it belongs. */
function insertion(file: FileLines, hunk: Hunk, anchors: readonly number[]): number {
  if (hunk.atEnd || file.lines.length === 0) return file.lines.length;
  const [anchor, second] = anchors;
  const remedy = "Give it the lines around the place, or an @@ anchor that stands there once.";
  if (anchor === undefined) {
    throw new Failure(
      "E_AMBIGUOUS",
      `In ${showPath(file.source.path)}: ${nameOf(hunk)} does not show where it belongs.`,
      {
        remedy: `Nothing was changed. ${remedy}`,
      },
    );
  }
  if (second !== undefined) throw ambiguous(file, hunk, anchors, remedy);
  return anchor + 1;
}

/**
 * Where the last of a hunk's anchors stands, behind those before it; empty if it has none. Blanks around an anchor do
 * not count.
 */
function anchorsOf(file: FileLines, { anchors, patchLine }: Hunk): number[] {
  let from = 0;
  let places: number[] = [];
  for (const anchor of anchors) {
    places = [];
    for (let at = from; at < file.lines.length && places.length <= maxNamed; at++) {
      if (file.lines[at]?.trim() === anchor) places.push(at);
    }
    const [first] = places;
    if (first === undefined) {
      throw noMatch(
        file,
        `the anchor "@@ ${anchor}" of the hunk at line ${patchLine} of the patch is not a line of it`,
      );
    }
    from = first + 1;
  }
  return places;
}

/** The first places where the old lines of a hunk stand; more than `maxNamed` are not looked for. */
function placesOf(file: FileLines, hunk: Hunk): number[] {
  const ids = Int32Array.from(oldLines(hunk), (line) => file.idOf(line));
  if (ids.includes(-1)) return [];
  const places: number[] = [];
  for (const place of occurrences(file.ids, ids, "overlapping")) {
    if (fitsEnd(file, hunk, place + ids.length)) places.push(place);
    if (places.length > maxNamed) break;
  }
  return places;
}

function fits(file: FileLines, hunk: Hunk, place: number): boolean {
  const old = oldLines(hunk);
  return old.every((line, index) => file.lines[place + index] === line) && fitsEnd(file, hunk, place + old.length);
}

/** Whether what the hunk says of the end of the file is so, if it ends there. */
function fitsEnd(file: FileLines, hunk: Hunk, end: number): boolean {
  const isLast = end === file.lines.length;
  if ((hunk.atEnd || hunk.oldOpen || hunk.newOpen) && !isLast) return false;
  if (hunk.oldOpen) return file.isOpen;
  return !hunk.newOpen || !file.isOpen;
}

function unplaced(file: FileLines, hunk: Hunk, old: readonly string[]): Failure {
  const plain: Hunk = { ...hunk, atEnd: false, oldOpen: false, newOpen: false };
  if (placesOf(file, plain).length === 0) return explainMiss(file.source, old.join("\n"), nameOf(hunk));
  return noMatch(file, `the lines of ${nameOf(hunk)} do not stand at the end of the file as the patch says`);
}

function nameOf(hunk: Hunk): string {
  return `the hunk at line ${hunk.patchLine} of the patch`;
}

function noMatch(file: FileLines, problem: string): Failure {
  return new Failure("E_NO_MATCH", `In ${showPath(file.source.path)}: ${problem}.`, {
    remedy: "Nothing was changed. Read the file again and correct the patch.",
  });
}

function ambiguous(file: FileLines, hunk: Hunk, places: readonly number[], remedy: string): Failure {
  const named = places.slice(0, maxNamed).map((place) => place + 1);
  const more = places.length > maxNamed ? ", …" : "";
  return new Failure(
    "E_AMBIGUOUS",
    `In ${showPath(file.source.path)}: ${nameOf(hunk)} fits at lines ${named.join(", ")}${more}.`,
    { remedy: `Nothing was changed. ${remedy}` },
  );
}
