/**
 * Takes changes back: what stands there is compared with what croft left, and put back only where it is the same. All
 * that this replaces is kept in a record of its own first, so that it can be taken back as well.
 */

import { setImmediate } from "node:timers/promises";
import { Failure, messageOf } from "../../error.ts";
import type { Place, Root } from "../place/place.ts";
import type { Changed, LeftAlone, State } from "../snapshot.ts";
import { isSame } from "./history.ts";
import { getObject, hasObject, putFile, takeObject } from "./objects.ts";
import { presentAt, withSpot } from "./present.ts";
import { putThere, setFolderMode, takeAway, type PutBack, type Step } from "./put-back.ts";
import { orUnwritable, type Writer } from "./store.ts";

export type Reversing = {
  root: Root;
  /** The record of this reversal, with nothing in it yet. */
  record: Writer;
  /** The contents of the record that is taken back. */
  source: string;
  cause: "undo" | "redo";
  /** An earlier attempt was cut off: what it left half done is croft's own. */
  resumed: boolean;
  observe: PutBack["observe"];
};

export type Reversed = { files: readonly Changed[]; left: readonly LeftAlone[] };

/** A path that may be put back; `now` is what stands there. */
type Due = { step: Step; now: State | null; isBack: boolean };
/** Paths that were not put back, and why; without a reason nothing is to be said of it. */
type Failed = Map<string, string | undefined>;

const changedSince = "it is not as croft left it";
const notKept = "what it held is no longer kept";
const cutOff = "it was not reached before the end";

/**
 * Takes back `changes`. What cannot be put back is left alone, with the reason; the rest goes on. Ends early when the
 * signal is aborted, and the rest is then as it was. Throws E_UNDO_UNWRITABLE, and then nothing was changed.
 */
export async function reverse(
  reversing: Reversing,
  changes: readonly Changed[],
  signal: AbortSignal,
): Promise<Reversed> {
  const { root, record, cause, resumed, observe } = reversing;
  const left: LeftAlone[] = [];
  const due: Due[] = [];
  const free = new Set<string>();
  for (const { path, before, after } of [...changes].sort((one, other) => (one.path < other.path ? -1 : 1))) {
    const step = { path, from: after, to: before };
    const found = presentAt(root, path);
    const one = judge(step, found === undefined && isBelow(path, free) ? null : found, resumed);
    if (one?.now?.kind !== "folder" && one?.step.to?.kind === "folder") free.add(path);
    if (one === undefined) left.push({ path, reason: changedSince });
    else if (keepBoth(reversing, one)) due.push(one);
    else left.push({ path, reason: notKept });
  }
  const files = due.map(({ step: { path, from, to } }): Changed => ({ path, before: from, after: to }));
  record.append({ type: "keep", id: 0, cause, files, temporaries: [] }, true);
  observe("kept", "");

  const failed = await putAll(
    {
      root,
      contentOf: (hash) => getObject(record.objects, hash),
      onTemporary: (path) => record.append({ type: "temporary", path }, false),
      observe,
    },
    due,
    signal,
  );
  const restored = files.filter(({ path }) => !failed.has(path));
  for (const [path, reason] of failed) if (reason !== undefined) left.push({ path, reason });
  record.append({ type: "landed", id: 0, paths: restored.map(({ path }) => path), left }, true);
  record.append({ type: "end", interrupted: [...failed.values()].includes(cutOff) ? true : undefined }, false);
  return { files: restored, left };
}

/** Whether a path lies below one of the places that are to become a folder: nothing can stand there yet. */
function isBelow(path: string, free: ReadonlySet<string>): boolean {
  const names = path.split("/");
  return names.some((_, depth) => free.has(names.slice(0, depth).join("/")));
}

/** Undefined: what is there is neither as it was left nor as it was before. */
function judge(step: Step, now: State | null | undefined, resumed: boolean): Due | undefined {
  if (now === undefined) return undefined;
  if (isSame(now, step.to)) return { step, now, isBack: true };
  if (isSame(now, step.from) || (resumed && isHalfway(now, step))) return { step, now, isBack: false };
  return undefined;
}

/** Between a folder and anything else there is a moment with nothing; a folder gets its mode last. */
function isHalfway(now: State | null, { from, to }: Step): boolean {
  if (from === null || to === null) return now?.kind === "folder" && to?.kind === "folder";
  return now === null || (now.kind === "folder" && to.kind === "folder");
}

/** Keeps what is replaced and what replaces it. False where the latter is lost. Throws E_UNDO_UNWRITABLE. */
function keepBoth({ root, record, source }: Reversing, { step: { path, from, to }, isBack }: Due): boolean {
  return orUnwritable(source, () => {
    const isKept = to?.kind !== "file" || takeObject(record.objects, to.hash, source);
    if (from?.kind === "file" && !takeObject(record.objects, from.hash, source) && !isBack) {
      withSpot(root, path, ({ found }) => keepFrom(record.objects, found));
      if (!hasObject(record.objects, from.hash)) return false;
    }
    return isKept || isBack;
  });
}

function keepFrom(objects: string, file: Place | undefined): void {
  if (file?.kind === "file") putFile(objects, file.systemPath(), { durable: true });
}

/** `all` in order of paths. First all that must go, the innermost first; then all that must come, the outermost first; modes of folders last. */
async function putAll(parts: PutBack, all: readonly Due[], signal: AbortSignal): Promise<Failed> {
  const failed: Failed = new Map();
  const gone = new Set<string>();
  const due = all.filter(({ isBack }) => !isBack);
  const attempt = async (path: string, act: () => void): Promise<void> => {
    await setImmediate(); // so that an abort is seen
    if (failed.has(path)) return;
    if (signal.aborted) failed.set(path, cutOff);
    else tryTo(path, failed, act);
  };
  for (const { step, now } of due.filter(mustGo).toReversed()) {
    await attempt(step.path, () => {
      if (takeAway(parts, { ...step, from: now })) gone.add(step.path);
      else failed.set(step.path, step.to === null ? undefined : "the folder holds other files");
    });
  }
  for (const { step, now } of due.filter(({ step }) => step.to !== null)) {
    await attempt(step.path, () => putThere(parts, { ...step, from: gone.has(step.path) ? null : now }));
  }
  for (const { step } of due.toReversed()) {
    const mode = step.to?.kind === "folder" ? step.to.mode : undefined;
    if (mode !== undefined) await attempt(step.path, () => setFolderMode(parts, step.path, mode));
  }
  return failed;
}

function mustGo({ step: { to }, now }: Due): boolean {
  if (now === null) return false;
  return to === null || (now.kind === "folder") !== (to.kind === "folder");
}

function tryTo(path: string, failed: Failed, act: () => void): void {
  try {
    act();
  } catch (thrown) {
    failed.set(path, thrown instanceof Failure ? thrown.narration : messageOf(thrown));
  }
}
