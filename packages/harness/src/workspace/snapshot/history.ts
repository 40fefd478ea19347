/** The records folded into turns, and which of them undo and redo would take. */

import type { Changed, PastTurn, State, TurnState } from "../snapshot.ts";
import type { Header, UndoRecord } from "./record.ts";
import { isOpen } from "./store.ts";

export type History = {
  /** Turns that changed something, oldest first. */
  turns: readonly PastTurn[];
  /** Undos that can be taken back, the next one last. */
  undone: readonly UndoRecord[];
  /** Numbers of turns of which another undo may put back more. */
  unfinished: ReadonlySet<number>;
  /** Records of a croft that is still at work, with its process id. */
  open: readonly { number: number; pid: number }[];
};

/** Folds records, oldest first. */
export function historyOf(records: readonly UndoRecord[]): History {
  const turns = new Map<number, PastTurn>();
  const unfinished = new Set<number>();
  let undone: UndoRecord[] = [];
  for (const record of records) {
    const { header, number, end } = record;
    const of = header?.of ?? -1;
    if (header?.kind === "undo") {
      if (end !== "whole") continue;
      mark(turns, of, record.left.length > 0 ? "partly" : "undone");
      undone.push(record);
      if (goesOn(record)) unfinished.add(of);
      else unfinished.delete(of);
    } else if (header?.kind === "redo") {
      const taken = undone.find((undo) => undo.number === of);
      const turn = taken?.header?.of ?? -1;
      if (end !== "whole" || taken === undefined) continue;
      if (goesOn(record)) {
        mark(turns, turn, "partly");
        unfinished.add(turn);
        continue;
      }
      mark(turns, turn, "done");
      unfinished.delete(turn);
      undone = undone.filter(({ header }) => header?.of !== turn);
    } else {
      const files = netOf(record);
      if (files.length > 0) undone = [];
      if (files.length > 0) turns.set(number, { ...infoOf(header), number, state: stateOf(record), files });
    }
  }
  const open = records.filter(isOpen).map(({ number, header }) => ({ number, pid: header.owner.pid }));
  return { turns: [...turns.values()], undone, unfinished, open };
}

/** The last turn that has not been taken back. */
export function nextToUndo({ turns, unfinished }: History): PastTurn | undefined {
  return turns.findLast(({ state, number }) => state === "done" || state === "interrupted" || unfinished.has(number));
}

/** Whether a reversal left something that the next one may put back. */
export function goesOn({ left }: UndoRecord): boolean {
  return left.some(({ again }) => again === true);
}

/**
 * What a record changed in all: each path from before its first change to after its last. Where somebody else changed a
 * file between two changes, it counts from there on: what they did is not croft's to take back. Of a change that nobody
 * knows to have landed, everything counts: what is there decides.
 */
export function netOf({ kept }: UndoRecord): Changed[] {
  const net = new Map<string, Changed>();
  for (const file of kept.flatMap(({ landed, files }) => landed ?? files)) {
    const earlier = net.get(file.path);
    const goesOn = earlier !== undefined && isSame(earlier.after, file.before);
    net.set(file.path, goesOn ? { ...file, before: earlier.before } : file);
  }
  return [...net.values()].filter(({ before, after }) => !isSame(before, after));
}

/** Whether two states are the same. Where the mode of a folder is not known, it does not count. */
export function isSame(one: State | null, other: State | null): boolean {
  if (one === null || other === null) return one === other;
  if (one.kind === "file") return other.kind === "file" && one.hash === other.hash && one.mode === other.mode;
  if (one.kind === "link") return other.kind === "link" && one.target === other.target;
  return other.kind === "folder" && (one.mode ?? other.mode) === (other.mode ?? one.mode);
}

function mark(turns: Map<number, PastTurn>, number: number, state: TurnState): void {
  const turn = turns.get(number);
  if (turn !== undefined) turns.set(number, { ...turn, state });
}

function infoOf(header: Header | undefined): { session: string; task: string; at: number } {
  return { session: header?.session ?? "", task: header?.task ?? "", at: header?.at ?? 0 };
}

function stateOf(record: UndoRecord): TurnState {
  if (isOpen(record)) return "running";
  return record.end === "whole" ? "done" : "interrupted";
}
