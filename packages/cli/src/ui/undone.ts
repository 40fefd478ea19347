/** Turns and what became of undoing them, for a person, in lines. */

import type { Changed, Interrupted, LeftAlone, PastTurn, Reversal } from "@croft/harness";
import { escapeLine } from "./escape.ts";
import { minute } from "./numbers.ts";

/** So many files are named of a turn in a list, and of what a killed croft left. */
const named = 10;

/** What was taken back, file by file; folders are left out, as long as there is anything else. */
export function reversalLines(type: "undo" | "redo", { turn, files }: Reversal): string[] {
  if (turn === undefined && files.length === 0) return [type === "undo" ? "Nothing to undo." : "Nothing to redo."];
  const what = turn === undefined ? "" : ` turn ${turn.number}: ${escapeLine(turn.task)}`;
  if (files.length === 0) return [`Nothing could be ${type === "undo" ? "undone" : "redone"} of${what}`];
  const lines = inOrder(files).map((file) => `  ${signOf(file)} ${escapeLine(file.path)}`);
  return [`${type === "undo" ? "Undone" : "Redone"}${what}`, ...lines];
}

/** What was left alone, why, and how to see more. */
export function leftLines(type: "undo" | "redo", left: readonly LeftAlone[]): string[] {
  const lines = left.map(({ path, reason }) => `left alone: ${escapeLine(path)}: ${escapeLine(reason)}`);
  if (left.length > 0 && type === "undo") lines.push("To see both versions of a file: croft undo --show PATH");
  if (left.some(({ again }) => again)) lines.push(`Once that is put right, croft ${type} goes on from here.`);
  return lines;
}

/** A turn in the list. */
export function turnLines({ number, at, state, task, files }: PastTurn): string[] {
  const all = inOrder(files);
  const rest = all.length - named;
  return [
    `${number}  ${minute(at)}  ${state.padEnd(11)}  ${escapeLine(task)}`,
    ...all.slice(0, named).map((file) => `     ${signOf(file)} ${escapeLine(file.path)}`),
    ...(rest > 0 ? [`     … and ${rest} more`] : []),
  ];
}

/** What a killed croft left. */
export function interruptedLine({ cause, task, old, new: landed }: Interrupted): string {
  const what = {
    tool: "while it changed files",
    command: "while a command ran",
    undo: "in an undo",
    redo: "in a redo",
  };
  const about = task === "" ? "" : ` (${escapeLine(task)})`;
  return `croft was ended ${what[cause]}${about}. Changed: ${namesOf(landed)}. As before: ${namesOf(old)}.`;
}

function namesOf(paths: readonly string[]): string {
  if (paths.length === 0) return "none";
  const rest = paths.length - named;
  return paths.slice(0, named).map(escapeLine).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

function inOrder(files: readonly Changed[]): readonly Changed[] {
  const rest = files.filter(({ before, after }) => (after ?? before)?.kind !== "folder");
  return (rest.length > 0 ? rest : files).toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** As in a diff: what appeared, what went, what is other. */
function signOf({ before, after }: Changed): string {
  if (before === null) return "+";
  return after === null ? "-" : "~";
}
