/** What a patch says, whichever of the two forms it is written in. */

import { Failure } from "../../error.ts";

/** A line of a hunk: in both files, only in the old one, or only in the new one. */
export type HunkLine = { kind: " " | "-" | "+"; text: string };

export type Hunk = {
  /** Where it begins in the patch, from 1. */
  readonly patchLine: number;
  readonly lines: readonly HunkLine[];
  /** Line of the old file, from 1, that the hunk says it begins at. */
  readonly oldStart?: number | undefined;
  /** Lines of the old file that stand before it, in this order: `@@ class A`, `@@ def b`. */
  readonly anchors: readonly string[];
  /** Its last line is the last of the file. */
  readonly atEnd: boolean;
  /** "\ No newline at end of file" stands behind the last line of the old file, or of the new one. */
  readonly oldOpen: boolean;
  readonly newOpen: boolean;
};

/** `patchLine` is where it begins in the patch, from 1. Paths are as the patch has them, without `a/` and `b/`. */
export type FilePatch = { readonly patchLine: number; readonly path: string } &
  /** `mode`: what the umask takes from, as in git: 0777 for what can be run, else 0666. */
  (
    | { readonly kind: "add"; readonly content: string; readonly mode?: number | undefined }
    /** `hunk`: what a unified diff says that the file holds. */
    | { readonly kind: "delete"; readonly hunk?: Hunk | undefined }
    /** `to`: where it is moved. */
    | { readonly kind: "update"; readonly to?: string | undefined; readonly hunks: readonly Hunk[] }
  );

/** UTF-16 code units of a patch, and files it names. */
export const maxPatch = 1_048_576;
export const maxFiles = 100;

/** The lines of a patch that are read, and how far they have been. Taking a line moves `at` on. */
export type Cursor = { readonly lines: readonly string[]; at: number };

/** The line that comes next, without what carriage return it ends in; undefined at the end. */
export function peek({ lines, at }: Cursor): string | undefined {
  return lines[at]?.replace(/\r$/, "");
}

/** E_BAD_PATCH for the line that comes next. */
export function unexpected(cursor: Cursor, expected: string): Failure {
  const line = peek(cursor);
  const found = line === undefined ? "its end" : JSON.stringify(line.length > 100 ? `${line.slice(0, 100)}…` : line);
  return badPatch(cursor.at + 1, `expected ${expected}, found ${found}`);
}

export function badPatch(patchLine: number, problem: string): Failure {
  return new Failure("E_BAD_PATCH", `Line ${patchLine} of the patch: ${problem}.`, {
    remedy: "Nothing was changed. Correct the patch and send all of it again.",
  });
}
