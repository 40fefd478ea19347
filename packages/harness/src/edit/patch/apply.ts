/** The hunks of a patch put into one file. */

import { Failure } from "../../error.ts";
import { showPath } from "../../workspace/text/show-path.ts";
import type { Source } from "../source.ts";
import { splice, type Replacement } from "../splice.ts";
import { fileLines, locate, oldLines, type FileLines } from "./locate.ts";
import { badPatch, type Hunk } from "./patch.ts";

/** Lines of a file (`from`, `removed` of them) and what stands there afterwards. */
type Run = { hunk: Hunk; from: number; removed: number; added: string[] };

/**
 * The bytes of the file with all hunks applied; each must be found in the file as it is before. Lines that a hunk shows
 * and does not change are not written. Whether the last line ends in a line break stays as it is, unless the patch says.
 *
 * Throws E_NO_MATCH, E_AMBIGUOUS, E_BAD_PATCH (hunks that change the same lines), E_ENCODING and E_TOO_LARGE.
 */
export function applyHunks(source: Source, hunks: readonly Hunk[]): Buffer {
  const file = fileLines(source);
  const places = locate(file, hunks);
  // What is only inserted comes before what is changed in the same place.
  const runs = hunks
    .flatMap((hunk, index) => runsOf(hunk, places[index] ?? 0))
    .sort((a, b) => a.from - b.from || Math.min(a.removed, 1) - Math.min(b.removed, 1));
  refuseOverlaps(file, runs);
  const starts = startsOf(file);
  return splice(
    source,
    runs.map((run) => replacementOf(file, starts, run)),
  );
}

/** Throws E_NO_MATCH unless the hunk shows all of the file. */
export function checkWhole(source: Source, hunk: Hunk): void {
  const file = fileLines(source);
  const shown = oldLines(hunk);
  const isWhole = shown.length === file.lines.length && shown.every((line, index) => line === file.lines[index]);
  if (isWhole && (!hunk.oldOpen || file.isOpen)) return;
  throw new Failure("E_NO_MATCH", `${showPath(source.path)} does not hold exactly what the patch deletes.`, {
    remedy: "Nothing was changed. Read the file again, or delete it with *** Delete File.",
  });
}

/** Runs of changed lines, without the context between them. */
function runsOf(hunk: Hunk, place: number): Run[] {
  const runs: Run[] = [];
  let from = place;
  let isChanging = false;
  for (const { kind, text } of hunk.lines) {
    if (kind === " ") from += 1;
    else {
      if (!isChanging) runs.push({ hunk, from, removed: 0, added: [] });
      const run = runs.at(-1);
      if (kind === "+") run?.added.push(text);
      else if (run !== undefined) {
        run.removed += 1;
        from += 1;
      }
    }
    isChanging = kind !== " ";
  }
  return runs;
}

/** Two insertions at one place keep the order of the patch, except at the end of the file, where the last line counts. */
function refuseOverlaps(file: FileLines, runs: readonly Run[]): void {
  for (const [index, run] of runs.entries()) {
    const before = runs[index - 1];
    const end = before === undefined ? 0 : before.from + before.removed;
    const isSameEnd = before !== undefined && run.from === end && end === file.lines.length;
    if (run.from < end || isSameEnd) {
      throw badPatch(run.hunk.patchLine, "this hunk and another one change the same lines");
    }
  }
}

/** Where each line begins in the view, and where the text ends. */
function startsOf(file: FileLines): Int32Array {
  const starts = new Int32Array(file.lines.length + 1);
  let at = 0;
  for (const [index, line] of file.lines.entries()) {
    starts[index] = at;
    at += line.length + 1;
  }
  starts[file.lines.length] = file.source.text.length;
  return starts;
}

function replacementOf(file: FileLines, starts: Int32Array, { hunk, from, removed, added }: Run): Replacement {
  const end = from + removed;
  const range = { from: starts[from] ?? 0, to: starts[end] ?? 0, named: oldLines(hunk).join("\n") };
  const lines = added.map((line) => `${line}\n`).join("");
  if (end < file.lines.length || added.length === 0) return { ...range, text: lines };
  const isOpen = hunk.newOpen || (file.isOpen && !hunk.oldOpen);
  // Behind a last line without a line break, one has to come first.
  const lead = file.isOpen && removed === 0 ? "\n" : "";
  return { ...range, text: lead + (isOpen ? lines.slice(0, -1) : lines) };
}
