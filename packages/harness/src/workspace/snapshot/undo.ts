/** The undo of one project: its store on disk, and the project's folder, held while something is put back. */

import { Failure } from "../../error.ts";
import { holdRoot } from "../place/mechanism.ts";
import type { Root } from "../place/place.ts";
import type { Changed, PastTurn, Reversal, Undo } from "../snapshot.ts";
import { openCover } from "./cover.ts";
import { goesOn, historyOf, netOf, nextToUndo, type History } from "./history.ts";
import { landedOf } from "./landed.ts";
import { thisProcess } from "../../process/system/owner.ts";
import type { PutBack } from "./put-back.ts";
import type { RecordKind, UndoRecord } from "./record.ts";
import { recoverAll } from "./recover.ts";
import { reverse } from "./reverse.ts";
import { createRecord, isOpen, objectsOf, prune, recordsIn, removeRecord, type Limits, type Writer } from "./store.ts";
import { openTurn, shortTask } from "./turn.ts";
import { sinceThen, versionsOf } from "./versions.ts";

export type UndoOptions = {
  /** Where the past is kept: outside the project, this user's alone, one for each project. Made when it is needed. */
  store: string;
  /** The project's folder. */
  root: string;
  limits?: Limits | undefined;
  /** Told after every step on the disk, for tests that stop there. */
  observe?: PutBack["observe"] | undefined;
};

/** What is kept unless told otherwise: a hundred turns, 500 MB. */
const defaultLimits: Limits = { records: 100, bytes: 500_000_000 };

/** What is to be taken back, and the number of the record that did it. */
type Task = { kind: "undo" | "redo"; of: number; turn: PastTurn | undefined; changes: readonly Changed[] };

/** Nothing is read or written before it is asked for. */
export function openUndo({ store, root: folder, limits = defaultLimits, observe = () => {} }: UndoOptions): Undo {
  function recovered(root: Root): { records: UndoRecord[]; history: History } {
    recoverAll(store, root, recordsIn(store));
    const records = recordsIn(store);
    const history = historyOf(records);
    const [first] = history.open;
    if (first !== undefined) throw running(first.pid);
    return { records, history };
  }

  async function takeBack(
    root: Root,
    records: readonly UndoRecord[],
    task: Task,
    signal: AbortSignal,
  ): Promise<Reversal> {
    const record = begin(store, task);
    try {
      const { number } = record;
      const resumed = records.some((one) => isOf(one.header, task) && (one.end === "interrupted" || goesOn(one)));
      const parts = { root, record, source: objectsOf(store, task.of), cause: task.kind, resumed, observe };
      return { turn: task.turn, record: number, ...(await reverse(parts, task.changes, signal)) };
    } catch (thrown) {
      dropUnused(store, record.number);
      throw thrown;
    } finally {
      record.close();
      prune(store, limits);
    }
  }

  return {
    begin: (turn) => openTurn(store, limits, turn),
    cover: (policy) => openCover({ store, root: folder, policy }),
    turns: () => historyOf(recordsIn(store)).turns,
    recover() {
      using root = holdRoot(folder);
      return recoverAll(store, root, recordsIn(store));
    },
    async undo(signal) {
      using root = holdRoot(folder);
      const { records, history } = recovered(root);
      const turn = nextToUndo(history);
      if (turn === undefined) return nothing;
      return await takeBack(root, records, { kind: "undo", of: turn.number, turn, changes: turn.files }, signal);
    },
    async redo(signal) {
      using root = holdRoot(folder);
      const { records, history } = recovered(root);
      const undo = history.undone.at(-1);
      if (undo === undefined) return nothing;
      const turn = history.turns.find(({ number }) => number === undo.header?.of);
      return await takeBack(root, records, { kind: "redo", of: undo.number, turn, changes: netOf(undo) }, signal);
    },
    landed: (recorded) => landedOf(store, recorded),
    async versions(path) {
      using root = holdRoot(folder);
      return await versionsOf(store, root, historyOf(recordsIn(store)).turns, path);
    },
    async since(session) {
      using root = holdRoot(folder);
      return await sinceThen(store, root, historyOf(recordsIn(store)).turns, session);
    },
  };
}

const nothing: Reversal = { turn: undefined, files: [], left: [], record: undefined };

/** Of two that begin at the same moment, the one with the lower number goes on. */
function begin(store: string, { kind, of, turn }: Task): Writer {
  const info = { session: turn?.session ?? "", task: turn?.task ?? "", at: Date.now() };
  const record = createRecord(store, { ...shortTask(info), kind, of, owner: thisProcess() });
  const rival = recordsIn(store).find((other) => other.number < record.number && isOpen(other));
  if (rival === undefined) return record;
  record.close();
  removeRecord(store, record.number);
  throw running(rival.header?.owner.pid ?? 0);
}

function isOf(header: { kind: RecordKind; of?: number | undefined } | undefined, { kind, of }: Task): boolean {
  return header?.kind === kind && header.of === of;
}

/** A record in which nothing was begun says nothing. */
function dropUnused(store: string, number: number): void {
  const record = recordsIn(store).find((one) => one.number === number);
  if (record?.kept.length === 0) removeRecord(store, number);
}

function running(pid: number): Failure {
  return new Failure("E_TURN_RUNNING", `A croft is at work on this project (process ${pid}).`, {
    remedy: "Wait until it is done, or end it, then try again.",
  });
}
