/**
 * The door to changing files: planned, asked about with the diff of the bytes that will land, kept for undo, landed. What
 * was approved is what lands, or nothing.
 */

import { Failure } from "../error.ts";
import type { PlaceToWrite } from "../gate/action.ts";
import type { Gate } from "../gate/gate.ts";
import { passGate, veiled } from "../gate/pass.ts";
import type { PathVerdict } from "../policy/policy.ts";
import type { BeforeImages, Change, Committed, FileState, Plan, PlannedFile } from "./change.ts";
import type { Fence } from "./fence.ts";
import { diffOf, type FileDiff } from "./text/diff.ts";
import { quoted } from "./text/show-path.ts";

export type CommitParts = {
  readonly fence: Fence;
  readonly gate: Gate;
  readonly strict: boolean;
  readonly before: BeforeImages | undefined;
};

/** See `Workspace.commit`. */
export async function commit(
  { fence, gate, strict, before }: CommitParts,
  changes: readonly Change[],
  signal: AbortSignal,
): Promise<readonly Committed[]> {
  const unresolved = changes.map(({ path }): PlaceToWrite => ({ asked: path, diff: "" }));
  await passGate(gate, { kind: "write", changes: unresolved }, signal);
  const { plan, diffs } = await veiled({ strict, signal }, () => approve(fence, gate, changes, signal));
  using held = plan;
  land(held, before);
  return held.files.map((file, index) => committed(file, diffs[index]));
}

type Approved = { readonly plan: Plan; readonly diffs: readonly FileDiff[] };

async function approve(fence: Fence, gate: Gate, changes: readonly Change[], signal: AbortSignal): Promise<Approved> {
  const plan = await fence.plan(changes);
  try {
    for (const file of plan.files) refuseNoChange(file);
    const diffs: FileDiff[] = [];
    for (const file of plan.files) diffs.push(await diffWithMode(file));
    const places = plan.files.map((file, index) => placeToWrite(file, diffs[index]));
    await passGate(gate, { kind: "write", changes: places }, signal);
    return { plan, diffs };
  } catch (thrown) {
    plan[Symbol.dispose]();
    throw thrown;
  }
}

/** Nothing is awaited between here and the last rename. */
function land(plan: Plan, before: BeforeImages | undefined): void {
  const kept = before?.keep(plan.files);
  try {
    plan.apply();
  } catch (thrown) {
    // What could not be put back has landed, and undo may still take it back.
    if (thrown instanceof Failure && thrown.code === "E_HALF_LANDED") kept?.landed();
    else kept?.dropped();
    throw thrown;
  }
  kept?.landed();
}

/** Lines do not tell that a new file can be run. */
async function diffWithMode({ path, before, after }: PlannedFile): Promise<FileDiff> {
  const made = await diffOf(path, before?.bytes ?? null, after?.bytes ?? null);
  const isProgram = before === null && after !== null && (after.mode & 0o111) !== 0;
  return isProgram ? { ...made, diff: `(executable)\n${made.diff}` } : made;
}

function placeToWrite({ asked, path, verdict, before, after }: PlannedFile, made: FileDiff | undefined): PlaceToWrite {
  const change = before === null ? "create" : after === null ? "delete" : "update";
  return { asked, path, verdict: unlessReadOnly(verdict, before), change, diff: made?.diff ?? "" };
}

/** What its owner may not write is replaced by a rename all the same, so that it is for a person to allow. */
function unlessReadOnly(verdict: PathVerdict, before: FileState | null): PathVerdict {
  const isReadOnly = before !== null && (before.mode & 0o200) === 0;
  return isReadOnly && verdict.decision === "allow" ? { decision: "ask", rule: "it is read-only" } : verdict;
}

function committed({ path, before, after }: PlannedFile, made: FileDiff | undefined): Committed {
  return {
    path,
    before: before?.hash ?? null,
    after: after?.hash ?? null,
    hunks: made?.hunks ?? [],
    diff: made?.diff ?? "",
  };
}

function refuseNoChange({ path, before, after }: PlannedFile): void {
  if (before?.hash !== after?.hash) return;
  throw new Failure("E_NO_CHANGE", `${quoted(path)} already is as asked; nothing was changed.`, {
    remedy: "Go on with the next step.",
  });
}
