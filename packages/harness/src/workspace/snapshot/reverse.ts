/**
 * Takes changes back: what stands there is compared with what croft left, and put back only where it is the same. All
 * that this replaces is kept in a record of its own first, so that it can be taken back as well.
 */

import { setImmediate } from "node:timers/promises";
import { Failure, messageOf } from "../../error.ts";
import type { Place, Root } from "../place/place.ts";
import { codeOf } from "../place/system.ts";
import type { Changed, LeftAlone, State } from "../snapshot.ts";
import { isSame } from "./history.ts";
import { flushObject, getObject, hasObject, putFile, takeObject } from "./objects.ts";
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
  /** An earlier attempt did not come to its end: what it left half done is croft's own. */
  resumed: boolean;
  observe: PutBack["observe"];
};

export type Reversed = { files: readonly Changed[]; left: readonly LeftAlone[] };

/** A path that may be put back; `now` is what stands there. */
type Due = { step: Step; now: State | null; isBack: boolean };
/** Paths that were not put back, and why; without a reason nothing is to be said of it. */
type Failed = Map<string, Omit<LeftAlone, "path"> | undefined>;

const changedSince = "it is not as croft left it";
const notKept = "what it held is no longer kept";
const cutOff = { reason: "it was not reached before the end", again: true } as const;

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
  for (const { path, before, after } of changes.toSorted((one, other) => (one.path < other.path ? -1 : 1))) {
    const step = { path, from: after, to: before };
    const found = presentAt(root, path);
    const one = judge(step, found === undefined && isBelow(path, free) ? null : found, resumed);
    if (one?.now?.kind !== "folder" && one?.step.to?.kind === "folder") free.add(path);
    if (one === undefined) left.push({ path, reason: changedSince });
    else if (keepBoth(reversing, one)) due.push(one);
    else left.push({ path, reason: notKept });
  }
  const files = due.map(({ step: { path, from, to } }): Changed => ({ path, before: from, after: to }));
  record.appendDurably({ type: "keep", id: 0, cause, files, temporaries: [] });
  observe("kept", "");

  const failed = await putAll(
    {
      root,
      contentOf: (hash) => getObject(record.objects, hash),
      onTemporary: (path) => record.append({ type: "temporary", path }),
      observe,
    },
    due,
    signal,
  );
  const restored = files.filter(({ path }) => !failed.has(path));
  for (const [path, why] of failed) if (why !== undefined) left.push({ path, ...why });
  record.appendDurably({ type: "landed", id: 0, paths: restored.map(({ path }) => path), left });
  record.append({ type: "end", interrupted: [...failed.values()].includes(cutOff) ? true : undefined });
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

/** Between a folder and anything else there is a moment with nothing; the mode of a folder changes apart from the rest. */
function isHalfway(now: State | null, { from, to }: Step): boolean {
  if (now === null) return from !== null && to !== null && (from.kind === "folder") !== (to.kind === "folder");
  return now.kind === "folder" && (from?.kind === "folder" || to?.kind === "folder");
}

/** Keeps what is replaced and what replaces it. False where the latter is lost. Throws E_UNDO_UNWRITABLE. */
function keepBoth({ root, record, source }: Reversing, { step: { path, from, to }, isBack }: Due): boolean {
  // Of a target that is not UTF-8 only a likeness was written down.
  if (to?.kind === "link" && to.target.includes("\uFFFD")) return isBack;
  return orUnwritable(source, () => {
    const isKept = to?.kind !== "file" || takeObject(record.objects, to.hash, source);
    if (from?.kind !== "file") return isKept || isBack;
    if (takeObject(record.objects, from.hash, source)) flushObject(record.objects, from.hash);
    else if (!isBack) withSpot(root, path, ({ found }) => keepFrom(record.objects, found));
    return isBack || (isKept && hasObject(record.objects, from.hash));
  });
}

function keepFrom(objects: string, file: Place | undefined): void {
  if (file?.kind === "file") putFile(objects, file.systemPath(), { durable: true });
}

/**
 * `all` in order of paths. First all that must go, the innermost first; then all that must come, the outermost first.
 * Folders that forbid it are opened before, and get their modes last.
 */
async function putAll(parts: PutBack, all: readonly Due[], signal: AbortSignal): Promise<Failed> {
  const failed: Failed = new Map();
  const gone = new Set<string>();
  const due = all.filter(({ isBack }) => !isBack);
  async function each(some: readonly Due[], act: (one: Due) => void): Promise<void> {
    for (const one of some) {
      const { path } = one.step;
      await setImmediate(); // so that an abort is seen
      if (failed.has(path)) continue;
      if (signal.aborted) failed.set(path, cutOff);
      else tryTo(path, failed, () => act(one));
    }
  }

  await each(due.filter(isShut), ({ step: { path }, now }) => setFolderMode(parts, path, modeOf(now) | ownerMay));
  await each(due.filter(mustGo).toReversed(), ({ step, now }) => {
    if (takeAway(parts, { ...step, from: now })) gone.add(step.path);
    else failed.set(step.path, step.to === null ? undefined : { reason: "the folder holds other files" });
  });
  await each(
    due.filter(({ step }) => step.to !== null),
    ({ step, now }) => putThere(parts, { ...step, from: gone.has(step.path) ? null : now }),
  );
  await each(
    due.filter(({ step }) => step.to?.kind === "folder" && step.to.mode !== undefined).toReversed(),
    ({ step: { path, to } }) => setFolderMode(parts, path, modeOf(to)),
  );
  return failed;
}

/** Its owner may list, change and enter it. */
const ownerMay = 0o700;

function isShut({ now }: Due): boolean {
  return now?.kind === "folder" && (modeOf(now) & ownerMay) !== ownerMay;
}

function modeOf(state: State | null): number {
  return state?.kind === "folder" ? (state.mode ?? ownerMay) : ownerMay;
}

function mustGo({ step: { to }, now }: Due): boolean {
  if (now === null) return false;
  return to === null || (now.kind === "folder") !== (to.kind === "folder");
}

function tryTo(path: string, failed: Failed, act: () => void): void {
  try {
    act();
  } catch (thrown) {
    failed.set(path, { reason: reasonOf(thrown), again: isOfSystem(thrown) ? true : undefined });
  }
}

/** What is lost stays lost; a disk may be full today and have room tomorrow. */
function isOfSystem(thrown: unknown): boolean {
  return !(thrown instanceof Failure) || thrown.code === "E_STALE";
}

function reasonOf(thrown: unknown): string {
  if (thrown instanceof Failure) return thrown.narration;
  const code = codeOf(thrown) ?? "";
  return reasons.get(code) ?? messageOf(thrown);
}

const reasons: ReadonlyMap<string, string> = new Map([
  ["EACCES", "this user may not write there"],
  ["EPERM", "this user may not write there"],
  ["EROFS", "the disk is read-only"],
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk is full for this user"],
]);
