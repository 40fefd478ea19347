/** After a crash: temporary files are removed, and what had landed is found out by looking. */

import { isUnreachable } from "../place/system.ts";
import type { Root } from "../place/place.ts";
import type { Spot } from "../fence/spot.ts";
import { isTemporaryName, sweep } from "../fence/temporary.ts";
import type { Changed, Interrupted } from "../snapshot.ts";
import { isSame } from "./history.ts";
import { presentAt, withSpot } from "./present.ts";
import type { Kept, UndoRecord } from "./record.ts";
import { continueRecord, isOpen, removeRecord, type Writer } from "./store.ts";

/**
 * Closes the records that a killed process left open. What was in the middle of a change is told, oldest first. Throws
 * E_UNDO_UNWRITABLE.
 */
export function recoverAll(store: string, root: Root, records: readonly UndoRecord[]): Interrupted[] {
  return records
    .filter((record) => record.end === undefined && !isOpen(record))
    .flatMap((record) => recoverOne(store, root, record));
}

function recoverOne(store: string, root: Root, record: UndoRecord): Interrupted[] {
  for (const temporary of record.temporaries) sweepAway(root, temporary);
  const writer = continueRecord(store, record.number);
  if (writer === undefined) return [];
  try {
    const told = record.kept
      .filter(({ landed }) => landed === undefined)
      .map((kept) => close(writer, root, kept, record));
    writer.appendDurably({ type: "end", interrupted: true });
    const isEmpty =
      record.kept.every(({ landed }) => landed?.length === 0) && told.every((one) => one.new.length === 0);
    if (isEmpty) removeRecord(store, record.number);
    return told;
  } finally {
    writer.close();
  }
}

/** What is neither as it was nor as it was to be counts as landed: it is then left alone, and said to be. */
function close(writer: Writer, root: Root, { id, cause, files }: Kept, record: UndoRecord): Interrupted {
  const old = files.filter((file) => isStill(root, file)).map(({ path }) => path);
  const landed = files.map(({ path }) => path).filter((path) => !old.includes(path));
  writer.append({ type: "landed", id, paths: landed });
  return { number: record.number, cause, task: record.header?.task ?? "", old, new: landed };
}

function isStill(root: Root, { path, before }: Changed): boolean {
  const now = presentAt(root, path);
  return now !== undefined && isSame(now, before);
}

/** What cannot be removed is no reason not to go on. */
function sweepAway(root: Root, temporary: string): void {
  try {
    if (!sweep(root, temporary)) withSpot(root, temporary, removeLink);
  } catch (thrown) {
    if (!isUnreachable(thrown)) throw thrown;
  }
}

/** Undo lets links wait as well as files. */
function removeLink({ folder, name, found }: Spot): void {
  if (found?.kind === "link" && isTemporaryName(name)) folder.writer().remove(name);
}
