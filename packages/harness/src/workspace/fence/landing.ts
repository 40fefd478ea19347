/**
 * How planned changes land, all or none. First everything is written beside its target, where it can fail without harm;
 * then each target is compared once more and renamed into place, removals last. A crash at any moment leaves every file
 * whole, old or new.
 */

import { asFailure } from "../../error.ts";
import { contentOf } from "../place/content.ts";
import type { Place, Root } from "../place/place.ts";
import { syncBack, takeBack, unmake, unremove, unreplace } from "./put-back.ts";
import { alreadyThere, changedSince, gone, halfLanded, moved, writeFailure } from "./refusals.ts";
import { isInPlace } from "./spot.ts";
import { likeThere, stage, type Held, type Progress, type Staged } from "./staging.ts";
import type { Observe } from "./step.ts";

/** See `Plan.apply`. What is held stays held. */
export function landAll(root: Root, changes: readonly Held[], observe: Observe = () => {}): void {
  const progress: Progress = { opened: [], inverses: [], observe };
  try {
    for (const held of changes) inWritingWords(held.planned.path, () => compare(root, held.spot.folder, held));
    progress.inverses.push(...distinct(changes.map(({ spot }) => spot.folder)).map(syncBack));
    const staged = changes.map((held) => inWritingWords(held.planned.path, () => stage(held, progress)));
    // The new name of a moved file is on the disk before the old one goes.
    const { writes = [], removals = [] } = Object.groupBy(staged, groupOf);
    for (const group of [writes, removals]) landGroup(root, group, progress);
  } catch (thrown) {
    const left = takeBack(progress.inverses, observe);
    throw left.length === 0 ? thrown : halfLanded(left, asFailure(thrown));
  } finally {
    for (const place of progress.opened) place.release();
  }
}

function groupOf({ held }: Staged): "writes" | "removals" {
  return held.planned.after === null ? "removals" : "writes";
}

function landGroup(root: Root, group: readonly Staged[], progress: Progress): void {
  for (const staged of group) {
    inWritingWords(staged.held.planned.path, () => {
      compare(root, staged.folder, staged.held);
      land(staged, progress);
    });
  }
  syncFolders(group, progress);
}

/** Throws if what is there is no longer what was planned upon. */
function compare(root: Root, folder: Place, { planned, spot }: Held): void {
  const { path, before } = planned;
  if (!isInPlace(root, folder)) throw moved(path);
  if (folder === spot.folder && spot.missing.length > 0) return;
  const now = folder.child(spot.name);
  try {
    if (before === null && now !== undefined) throw alreadyThere(path);
    if (before === null) return;
    if (now === undefined) throw gone(path);
    const isSame = now.kind === "file" && now.identity() === spot.found?.identity() && now.mode === before.mode;
    if (!isSame || now.size !== before.bytes.length) throw changedSince(path);
    if (Buffer.compare(contentOf(now), before.bytes) !== 0) throw changedSince(path);
  } finally {
    now?.release();
  }
}

function land({ held, folder, names, identity }: Staged, { inverses, observe }: Progress): void {
  const { path, before, after } = held.planned;
  const writer = folder.writer();
  if (before === null) {
    // Beforehand: it takes two steps, and the second may fail.
    inverses.push(unmake(folder, names.name, path, identity));
    writer.place(names.temporary, names.name);
    observe({ did: "landed", path });
    return;
  }
  const replaced = { folder, names, old: likeThere(held, before.bytes), path };
  if (after === null) {
    writer.remove(names.name);
    inverses.push(unremove(replaced));
    observe({ did: "removed", path });
  } else {
    writer.replace(names.temporary, names.name);
    inverses.push(unreplace(replaced, identity));
    observe({ did: "landed", path });
  }
}

function syncFolders(group: readonly Staged[], { observe }: Progress): void {
  for (const folder of distinct(group.flatMap(({ touched }) => touched))) {
    inWritingWords(folder.path, () => folder.writer().sync());
    observe({ did: "synced", path: folder.path });
  }
}

function distinct(folders: readonly Place[]): Place[] {
  return [...new Map(folders.map((folder) => [folder.identity(), folder])).values()];
}

function inWritingWords<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (thrown) {
    throw writeFailure(path, thrown);
  }
}
