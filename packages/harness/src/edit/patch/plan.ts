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

/** A file while the patch is worked out. `now` is null while none is there. */
type Draft = {
  path: string;
  before: FileState | undefined;
  now: { bytes: Uint8Array; mode: number | undefined } | null;
};
type Section<Kind> = Extract<FilePatch, { kind: Kind }>;

/**
 * The sections of a patch are applied in order, each to what those before have left. Reads each file once. Throws
 * E_NOT_FOUND and E_EXISTS, where a file is missing or in the way; E_NO_CHANGE; E_BINARY; what `applyHunks` throws; and
 * E_BAD_PATCH for a file moved to itself.
 */
export async function planPatch(patch: readonly FilePatch[], read: ReadFile): Promise<PatchPlan> {
  const drafts = new Map<string, Draft>();
  const moves: { from: string; to: string }[] = [];
  const draftOf = async (path: string): Promise<Draft> => {
    const known = drafts.get(path);
    if (known !== undefined) return known;
    const before = await read(path);
    const draft = { path, before, now: before === undefined ? null : { ...before } };
    drafts.set(path, draft);
    return draft;
  };
  for (const section of patch) {
    const draft = await draftOf(plainPath(section.path, section));
    if (section.kind === "add") add(draft, section);
    else if (section.kind === "delete") remove(draft, section);
    else {
      update(draft, section);
      if (section.to === undefined) continue;
      const target = await draftOf(plainPath(section.to, section));
      move(draft, target, section);
      moves.push({ from: draft.path, to: target.path });
    }
  }
  const changes = [...drafts.values()].flatMap((draft) => changeOf(draft) ?? []);
  if (changes.length === 0) {
    throw new Failure("E_NO_CHANGE", "The sections of the patch cancel each other out.", {
      remedy: "Send only what shall be different in the end.",
    });
  }
  return { changes, moves };
}

function add(draft: Draft, { content, mode }: Section<"add">): void {
  if (draft.now !== null) throw exists(draft.path);
  draft.now = { bytes: newFile(draft.path, content), mode: mode === undefined ? undefined : mode & ~process.umask() };
}

function remove(draft: Draft, { hunk }: Section<"delete">): void {
  if (draft.now === null) throw notFound(draft.path);
  if (hunk !== undefined) checkWhole(sourceFor(draft.path, draft.now.bytes, [hunk]), hunk);
  draft.now = null;
}

function update(draft: Draft, { hunks }: Section<"update">): void {
  if (draft.now === null) throw notFound(draft.path);
  if (hunks.length > 0) draft.now = { ...draft.now, bytes: changed(draft.path, draft.now.bytes, hunks) };
}

function move(draft: Draft, target: Draft, { patchLine }: Section<"update">): void {
  if (target === draft) throw badPatch(patchLine, `${showPath(draft.path)} would be moved to itself`);
  if (target.now !== null) throw exists(target.path);
  target.now = draft.now;
  draft.now = null;
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

function changeOf({ path, before, now }: Draft): Change | undefined {
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
