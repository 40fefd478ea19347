/** The lines of a record, read back whatever happened to them: one that is torn or not ours hides no other. */

import { readFileSync } from "node:fs";
import { fieldsOf, isObject, listIn, numberIn, parseJson, textIn, type Fields } from "../../json.ts";
import { foldName } from "../../policy/fold.ts";
import { unseal } from "../../seal.ts";
import { codeOf } from "../place/system.ts";
import type { Cause, Changed, LeftAlone, State, TurnInfo } from "../snapshot.ts";
import { ownerIn, type Owner } from "../../process/system/owner.ts";

/** A record is of a turn, or of the reversal of the record with the number `of`. */
export type RecordKind = "turn" | "undo" | "redo";
export type Header = TurnInfo & { kind: RecordKind; of?: number | undefined; owner: Owner };

export type Line =
  | ({ type: "begin" } & Header)
  /** Durable before anything is changed. */
  | { type: "keep"; id: number; cause: Cause; files: readonly Changed[]; temporaries: readonly string[] }
  /** A temporary file that is about to be made. */
  | { type: "temporary"; path: string }
  /** `paths`: those that landed; absent: all. */
  | { type: "landed"; id: number; paths?: readonly string[] | undefined; left?: readonly LeftAlone[] | undefined }
  | { type: "dropped"; id: number }
  | { type: "end"; interrupted?: true | undefined };

/** One `keep` and what became of it. `landed` is undefined while that is not known. */
export type Kept = { id: number; cause: Cause; files: readonly Changed[]; landed: readonly Changed[] | undefined };

export type UndoRecord = {
  number: number;
  header: Header | undefined;
  kept: readonly Kept[];
  temporaries: readonly string[];
  left: readonly LeftAlone[];
  /** Undefined: it has no end, so it is being written, or was when its croft was killed. */
  end: "whole" | "interrupted" | undefined;
};

/** Reads a record; one whose file is not there is empty. Throws the system's error. */
export function readRecord(number: number, file: string): UndoRecord {
  const lines = textOf(file).split("\n").map(lineIn);
  const kept = new Map<number, Kept>();
  const temporaries: string[] = [];
  const left: LeftAlone[] = [];
  let header: Header | undefined;
  let end: UndoRecord["end"];
  for (const line of lines) {
    if (line?.type === "begin") header = line;
    if (line?.type === "temporary") temporaries.push(line.path);
    if (line?.type === "end") end = line.interrupted === true ? "interrupted" : "whole";
    if (line?.type === "keep") {
      kept.set(line.id, { id: line.id, cause: line.cause, files: line.files, landed: undefined });
      for (const path of line.temporaries) temporaries.push(path);
    }
    if (line?.type !== "landed" && line?.type !== "dropped") continue;
    const open = kept.get(line.id);
    if (open !== undefined) kept.set(line.id, { ...open, landed: line.type === "dropped" ? [] : landedOf(open, line) });
    if (line.type === "landed") for (const one of line.left ?? []) left.push(one);
  }
  return { number, header, kept: [...kept.values()], temporaries, left, end };
}

function landedOf({ files }: Kept, { paths }: Line & { type: "landed" }): readonly Changed[] {
  if (paths === undefined) return files;
  const landed = new Set(paths);
  return files.filter(({ path }) => landed.has(path));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") return "";
    throw thrown;
  }
}

/** Undefined for what is no line of ours, or was changed after it was written. */
function lineIn(text: string): Line | undefined {
  const { json, fits } = unseal(text.replaceAll("\0", ""));
  if (fits !== true) return undefined;
  try {
    return lineOf(fieldsOf(parseJson(json)));
  } catch {
    return undefined;
  }
}

const causes: readonly Cause[] = ["tool", "command", "undo", "redo"];
const kinds: readonly RecordKind[] = ["turn", "undo", "redo"];

function lineOf(fields: Fields): Line | undefined {
  const id = numberIn(fields, "id") ?? -1;
  switch (fields["type"]) {
    case "begin":
      return headerOf(fields);
    case "keep": {
      const cause = causes.find((one) => one === fields["cause"]);
      const files = listIn(fields, "files").map(changedIn);
      if (cause === undefined || files.includes(undefined)) return undefined;
      const temporaries = textsIn(fields, "temporaries");
      return { type: "keep", id, cause, files: files.filter((file) => file !== undefined), temporaries };
    }
    case "temporary":
      return { type: "temporary", path: textIn(fields, "path") };
    case "landed": {
      const left = listIn(fields, "left").map(fieldsOf);
      return {
        type: "landed",
        id,
        paths: "paths" in fields ? textsIn(fields, "paths") : undefined,
        left: left.map(leftIn),
      };
    }
    case "dropped":
      return { type: "dropped", id };
    case "end":
      return { type: "end", interrupted: fields["interrupted"] === true ? true : undefined };
    default:
      return undefined;
  }
}

function leftIn(fields: Fields): LeftAlone {
  const again = fields["again"] === true ? true : undefined;
  return { path: textIn(fields, "path"), reason: textIn(fields, "reason"), again };
}

function headerOf(fields: Fields): Line | undefined {
  const kind = kinds.find((one) => one === fields["kind"]);
  const owner = ownerIn(fields["owner"]);
  if (kind === undefined || owner === undefined) return undefined;
  return {
    type: "begin",
    kind,
    of: numberIn(fields, "of"),
    session: textIn(fields, "session"),
    task: textIn(fields, "task"),
    at: numberIn(fields, "at") ?? 0,
    owner,
  };
}

function changedIn(value: unknown): Changed | undefined {
  const fields = fieldsOf(value);
  const path = textIn(fields, "path");
  const before = stateIn(fields["before"]);
  const after = stateIn(fields["after"]);
  return !isPlain(path) || before === undefined || after === undefined ? undefined : { path, before, after };
}

/**
 * Below the root, spelled as croft writes paths, and not git's: what is not is no path of ours. A file may be called
 * `...`, which folds to nothing.
 */
function isPlain(path: string): boolean {
  if (path.includes("\0")) return false;
  return path.split("/").every((name) => !["", ".", ".."].includes(name) && foldName(name) !== ".git");
}

/** A state that was written down; undefined for what is none. */
export function stateIn(value: unknown): State | null | undefined {
  if (value === null) return null;
  if (!isObject(value)) return undefined;
  const hash = textIn(value, "hash");
  const mode = numberIn(value, "mode");
  if (value["kind"] === "link") return { kind: "link", target: textIn(value, "target") };
  if (value["kind"] === "folder") return { kind: "folder", mode };
  // The hash names a file of the store: nothing else may come of it.
  if (value["kind"] !== "file" || mode === undefined || !/^[0-9a-f]{64}$/.test(hash)) return undefined;
  return { kind: "file", hash, mode };
}

function textsIn(fields: Fields, key: string): string[] {
  return listIn(fields, key).filter((one) => typeof one === "string");
}
