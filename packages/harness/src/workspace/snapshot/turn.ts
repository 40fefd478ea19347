/** A turn that is going on: it keeps what is about to be replaced, and is told what became of it. */

import { Failure } from "../../error.ts";
import type { FileState, Keeping, PlannedFile } from "../change.ts";
import type { Changed, OpenTurn, State, TurnInfo } from "../snapshot.ts";
import { flushObject, putObject, takeObject } from "./objects.ts";
import { thisProcess } from "./owner.ts";
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
  let landed = 0;

  function begun(): Writer {
    if (ended) throw new Failure("E_RELEASED", "The turn has ended.");
    writer ??= createRecord(store, { ...shortTask(info), kind: "turn", owner: thisProcess() });
    return writer;
  }

  return {
    keep(files) {
      const record = begun();
      const id = next++;
      keepContents(store, record.objects, files);
      record.append(
        { type: "keep", id, cause: "tool", files: files.flatMap(changesOf), temporaries: temporariesOf(files) },
        true,
      );
      return closing(
        () => {
          landed++;
          record.append({ type: "landed", id }, false);
        },
        () => record.append({ type: "dropped", id }, false),
      );
    },
    commanded(files, contents) {
      if (files.length === 0) return { files, record: undefined };
      const record = begun();
      const id = next++;
      takeContents(store, contents, record.objects, files);
      record.append({ type: "keep", id, cause: "command", files, temporaries: [] }, true);
      record.append({ type: "landed", id }, false);
      landed++;
      return { files, record: record.number };
    },
    end() {
      if (writer === undefined || ended) return;
      ended = true;
      writer.append({ type: "end" }, false);
      writer.close();
      if (landed === 0) removeRecord(store, writer.number);
      prune(store, limits);
    },
  };
}

/** Only the first word counts. */
function closing(landed: () => void, dropped: () => void): Keeping {
  let open = true;
  const once = (act: () => void) => (): void => {
    if (open) act();
    open = false;
  };
  return { landed: once(landed), dropped: once(dropped) };
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

function changesOf({ path, folders, before, after }: PlannedFile): Changed[] {
  return [
    ...folders.map((folder): Changed => ({ path: folder, before: null, after: { kind: "folder" } })),
    { path, before: stateOf(before), after: stateOf(after) },
  ];
}

function stateOf(file: FileState | null): State | null {
  return file === null ? null : { kind: "file", hash: file.hash, mode: file.mode };
}

function temporariesOf(files: readonly PlannedFile[]): string[] {
  return files.map(({ temporary }) => temporary).filter((path) => path !== undefined);
}
