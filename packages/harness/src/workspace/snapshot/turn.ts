/** A turn that is going on: it keeps what is about to be replaced, and is told what became of it. */

import { Failure } from "../../error.ts";
import type { FileState, Keeping, PlannedFile } from "../change.ts";
import type { Cause, Changed, OpenTurn, State, TurnInfo } from "../snapshot.ts";
import { flushObject, putObject, takeObject } from "./objects.ts";
import { thisProcess } from "../../process/system/owner.ts";
import type { Line } from "./record.ts";
import { createRecord, orUnwritable, prune, removeRecord, type Limits, type Writer } from "./store.ts";

/** Characters of a task that are written down. */
const taskLength = 200;

/** What a record of this process's own is begun with: the task's first line. */
export function shortTask({ session, task, at }: TurnInfo): TurnInfo {
  return { session, task: task.trim().split("\n", 1)[0]?.slice(0, taskLength) ?? "", at };
}

/** Opens a turn; its record is made with the first thing that is kept. */
export function openTurn(store: string, limits: Limits, info: TurnInfo): OpenTurn {
  let writer: Writer | undefined;
  let ended = false;
  let next = 0;
  let hasLanded = false;

  function begun(): Writer {
    if (ended) throw new Failure("E_RELEASED", "The turn has ended.");
    writer ??= createRecord(store, { ...shortTask(info), kind: "turn", owner: thisProcess() });
    return writer;
  }

  /** Something was changed, and this tells what; it has to be durable before the change, where that can be. */
  function keep(record: Writer, cause: Cause, files: readonly Changed[], temporaries: readonly string[]): Keeping {
    const id = next++;
    record.appendDurably({ type: "keep", id, cause, files, temporaries });
    return {
      landed() {
        hasLanded = true;
        note(record, { type: "landed", id });
      },
      dropped: () => note(record, { type: "dropped", id }),
    };
  }

  return {
    keep(planned) {
      const record = begun();
      keepContents(store, record.objects, planned);
      const temporaries = planned.map(({ temporary }) => temporary);
      return keep(record, "tool", changesOf(planned), temporaries);
    },
    commanded(files, contents) {
      if (files.length === 0) return { files, record: undefined };
      const record = begun();
      takeContents(store, contents, record.objects, files);
      keep(record, "command", files, []).landed();
      return { files, record: record.number };
    },
    end() {
      if (writer === undefined || ended) return;
      ended = true;
      note(writer, { type: "end" });
      writer.close();
      if (!hasLanded) removeRecord(store, writer.number);
      prune(store, limits);
    },
  };
}

/** The change is done: what cannot be written down of it is found out later by looking at the files. */
function note(record: Writer, line: Line): void {
  try {
    record.append(line);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
  }
}

function keepContents(store: string, objects: string, files: readonly PlannedFile[]): void {
  orUnwritable(store, () => {
    for (const file of files.flatMap(({ before, after }) => [before, after])) {
      if (file !== null) putObject(objects, file.hash, file.bytes, { durable: true });
    }
  });
}

/** What is there no more was too much to be kept: undo says so when it comes to that. */
function takeContents(store: string, from: string, objects: string, files: readonly Changed[]): void {
  orUnwritable(store, () => {
    for (const { before, after } of files) {
      if (before?.kind === "file" && takeObject(objects, before.hash, from)) flushObject(objects, before.hash);
      if (after?.kind === "file") takeObject(objects, after.hash, from);
    }
  });
}

/** Folders that are made come before what is made in them, each once. */
function changesOf(planned: readonly PlannedFile[]): Changed[] {
  const folders = new Set(planned.flatMap(({ folders }) => folders));
  return [
    ...[...folders].map((path): Changed => ({ path, before: null, after: { kind: "folder" } })),
    ...planned.map(({ path, before, after }): Changed => ({ path, before: stateOf(before), after: stateOf(after) })),
  ];
}

function stateOf(file: FileState | null): State | null {
  return file === null ? null : { kind: "file", hash: file.hash, mode: file.mode };
}
