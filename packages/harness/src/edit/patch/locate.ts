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
  /** Each line by a number, the same for equal lines: those of `numbers`. */
  readonly ids: Int32Array;
  readonly numbers: ReadonlyMap<string, number>;
  /** Where the line with a number stands. */
  readonly places: readonly (readonly number[])[];
  /** Where lines stand that are equal but for blanks around them. Made when it is first asked for. */
  readonly trimmed: () => ReadonlyMap<string, readonly number[]>;
  /** Its last line has no line break. */
  readonly isOpen: boolean;
};

/** So many places are named, and looked for, where a hunk fits more than once. */
const maxNamed = 10;
/** Where a line stands no more often than this, each place is tried by itself. */
const maxTried = 64;

export function fileLines(source: Source): FileLines {
  const lines = source.text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const numbers = new Map<string, number>();
  const places: number[][] = [];
  const ids = Int32Array.from(lines, (line, index) => {
    const id = numbers.get(line) ?? numbers.size;
    numbers.set(line, id);
    (places[id] ??= []).push(index);
    return id;
  });
  let trimmed: Map<string, number[]> | undefined;
  return {
    source,
    lines,
    ids,
    numbers,
    places,
    trimmed: () => (trimmed ??= Map.groupBy(lines.keys(), (index) => lines[index]?.trim() ?? "")),
    isOpen: source.text !== "" && !source.text.endsWith("\n"),
  };
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
    const start = from;
    places = (file.trimmed().get(anchor) ?? []).filter((place) => place >= start);
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
  const ids = oldLines(hunk).map((line) => file.numbers.get(line) ?? -1);
  if (ids.includes(-1)) return [];
  const places: number[] = [];
  for (const place of candidates(file, ids)) {
    if (fitsEnd(file, hunk, place + ids.length)) places.push(place);
    if (places.length > maxNamed) break;
  }
  return places;
}

/** Where these lines stand. Most hunks have a line that is rare in the file: there is no need to go through all of it. */
function candidates(file: FileLines, ids: readonly number[]): Iterable<number> {
  const often = (index: number): number => file.places[ids[index] ?? -1]?.length ?? 0;
  const rarest = [...ids.keys()].reduce((best, index) => (often(index) < often(best) ? index : best), 0);
  if (often(rarest) > maxTried) return occurrences(file.ids, ids, "overlapping");
  const starts = (file.places[ids[rarest] ?? -1] ?? []).map((place) => place - rarest);
  return starts.filter((start) => ids.every((id, index) => file.ids[start + index] === id));
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
