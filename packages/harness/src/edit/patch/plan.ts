/** What all files of a patch shall be, worked out in memory before any is touched. */

import { Failure } from "../../error.ts";
import type { Change, FileState } from "../../workspace/change.ts";
import { showPath } from "../../workspace/text/show-path.ts";
import { rawSourceOf, sourceOf, type Source } from "../source.ts";
import { newFile } from "../whole.ts";
import { applyHunks, checkWhole } from "./apply.ts";
import { badPatch, type FilePatch, type Hunk } from "./patch.ts";

/** The file at a path relative to the root; undefined: there is none. What it throws ends the planning. */
export type ReadFile = (path: string) => Promise<FileState | undefined>;

/** What is to be committed, all or nothing, one change for each path. `moves` are among them: one gone, one new. */
export type PatchPlan = { changes: readonly Change[]; moves: readonly { from: string; to: string }[] };

/** A file while the patch is worked out; null: none is there. */
type Now = { bytes: Uint8Array; mode: number | undefined } | null;
type Draft = { before: FileState | undefined; now: Now };

/**
 * The sections of a patch are applied in order, each to what those before have left. Reads each file once. Throws
 * E_NOT_FOUND and E_EXISTS, where a file is missing or in the way; E_NO_CHANGE; E_BINARY; what `applyHunks` throws; and
 * E_BAD_PATCH for a file moved to itself.
 */
export async function planPatch(patch: readonly FilePatch[], read: ReadFile): Promise<PatchPlan> {
  const drafts = new Map<string, Draft>();
  const moves: { from: string; to: string }[] = [];
  const draftOf = async (path: string): Promise<Draft> => {
    const before = drafts.has(path) ? undefined : await read(path);
    const draft = drafts.get(path) ?? { before, now: before === undefined ? null : { ...before } };
    drafts.set(path, draft);
    return draft;
  };
  for (const file of patch) {
    const path = plainPath(file.path, file);
    const draft = await draftOf(path);
    if (file.kind === "add") {
      if (draft.now !== null) throw exists(path);
      draft.now = { bytes: newFile(path, file.content), mode: file.mode };
      continue;
    }
    if (draft.now === null) throw notFound(path);
    if (file.kind === "delete") {
      if (file.hunk !== undefined) checkWhole(sourceFor(path, draft.now.bytes, [file.hunk]), file.hunk);
      draft.now = null;
      continue;
    }
    const bytes = file.hunks.length === 0 ? draft.now.bytes : changed(path, draft.now.bytes, file.hunks);
    if (file.to === undefined) {
      draft.now = { ...draft.now, bytes };
      continue;
    }
    const to = plainPath(file.to, file);
    if (to === path) throw badPatch(file.patchLine, `${showPath(path)} would be moved to itself`);
    const target = await draftOf(to);
    if (target.now !== null) throw exists(to);
    target.now = { ...draft.now, bytes };
    draft.now = null;
    moves.push({ from: path, to });
  }
  const changes = [...drafts].flatMap(([path, draft]) => changeOf(path, draft) ?? []);
  if (changes.length === 0) {
    throw new Failure("E_NO_CHANGE", "The sections of the patch cancel each other out.", {
      remedy: "Send only what shall be different in the end.",
    });
  }
  return { changes, moves };
}

/** Two spellings of one path must be one file. What leads outside is for the workspace to refuse. */
function plainPath(path: string, { patchLine }: FilePatch): string {
  const plain = path.replace(/\/+(\.\/+)*/g, "/").replace(/^(\.\/)+/, "");
  if (plain === "" || plain === ".") throw badPatch(patchLine, "expected the path of a file");
  return plain;
}

function changed(path: string, bytes: Uint8Array, hunks: readonly Hunk[]): Buffer {
  const after = applyHunks(sourceFor(path, bytes, hunks), hunks);
  if (!after.equals(bytes)) return after;
  throw new Failure("E_NO_CHANGE", `The patch changes nothing in ${showPath(path)}.`, {
    remedy: "Nothing was changed. Leave the file out, or send the lines that shall be different.",
  });
}

/** A patch that shows a carriage return at the end of a line speaks of line ends itself, as git's own do. */
function sourceFor(path: string, bytes: Uint8Array, hunks: readonly Hunk[]): Source {
  const speaksOfEnds = hunks.some(({ lines }) => lines.some(({ text }) => text.endsWith("\r")));
  return speaksOfEnds ? rawSourceOf(path, bytes) : sourceOf(path, bytes);
}

function changeOf(path: string, { before, now }: Draft): Change | undefined {
  if (before === undefined) {
    return now === null ? undefined : { path, before: null, after: now.bytes, mode: now.mode };
  }
  const isSame = now !== null && Buffer.from(before.bytes).equals(now.bytes);
  return isSame ? undefined : { path, before: before.hash, after: now?.bytes ?? null };
}

function exists(path: string): Failure {
  return new Failure("E_EXISTS", `${showPath(path)} already exists.`, {
    remedy: "Nothing was changed. Update it, or choose another path.",
  });
}

function notFound(path: string): Failure {
  return new Failure("E_NOT_FOUND", `${showPath(path)} does not exist.`, {
    remedy: "Nothing was changed. Use list_files or search to find it.",
  });
}
