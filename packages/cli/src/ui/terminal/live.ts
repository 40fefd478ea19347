/** The live rows at the bottom: what is in motion, and where the person writes. Never taller than the screen. */

import type { ChatStatus } from "../../chat/screen.ts";
import { askedOf } from "../question.ts";
import { frameAt } from "../spinner.ts";
import { namedRow } from "./draw-call.ts";
import { unfinishedRows, type Page } from "./draw.ts";
import type { Draft } from "./draft.ts";
import { layOut } from "./draft-rows.ts";
import { span, widthOf, type Row } from "./look.ts";
import type { Prompt } from "./prompt.ts";
import type { Question } from "./question.ts";
import { selectRows, type Select } from "./select.ts";
import type { Spot } from "./stage.ts";
import { statusRow } from "./status.ts";
import type { Running, View } from "./view.ts";
import { clipped, hung, wrapped } from "./wrap.ts";

export type Choosing = { title: string; select: Select };
export type Scene = {
  view: View;
  prompt: Prompt;
  question: Question | undefined;
  choosing: Choosing | undefined;
  status: ChatStatus | undefined;
  /** What a key just did or would do, in a line. */
  hint: string;
  history: readonly string[];
  /** When the turn began, and now: milliseconds. */
  since: number;
  now: number;
};
export type Size = { columns: number; rows: number };
export type Live = { rows: Row[]; cursor: Spot | undefined };

/** Rows of a draft, of a list, of what waits. */
const draftMost = 12;
const listMost = 10;
const queuedMost = 3;

export function liveRows(scene: Scene, size: Size, page: Page): Live {
  const room = Math.max(3, size.rows - 1);
  const writing = writingRows(scene, size.columns, Math.max(2, Math.floor(room / 2)));
  const foot = scene.status === undefined ? [] : [footRow(scene, scene.status, size.columns)];
  const queued = queuedRows(scene.status?.queued ?? [], size.columns);
  const motion = motionRows(scene, page);
  const rest = Math.max(0, room - writing.rows.length - foot.length - queued.length - 1);
  const above = [...motion.slice(Math.max(0, motion.length - rest)), ...queued];
  // The cursor is in the last row wherever it can be: where a terminal that gets narrower breaks rows below it, not all
  // of them keep it where it was.
  const rows = [...above, ...(room > 6 ? [[]] : []), ...foot, ...writing.rows].slice(-room);
  const offset = rows.length - writing.rows.length;
  const cursor = writing.cursor && { row: writing.cursor.row + offset, column: writing.cursor.column };
  return { rows, cursor };
}

/** The answer as far as it has come, calls that run, and that something goes on at all. */
function motionRows(scene: Scene, page: Page): Row[] {
  const { view, status, now, since } = scene;
  const answer = unfinishedRows(view.answer.stream.pending, view.answer.begun, page);
  const thought = view.thought === "" ? [] : [[span(`  ${view.thought}`, { dim: true, italic: true })]];
  const calls = view.running.flatMap((call) => runningRows(call, scene));
  const writing =
    view.writing === undefined
      ? []
      : [[span(`  ${view.writing.name}: ${view.writing.chars} characters`, { dim: true })]];
  const parts = [...answer, ...[...thought, ...calls, ...writing].map((row) => clipped(row, page.width))];
  const waits = scene.question !== undefined || scene.choosing !== undefined;
  const works = status?.working === true && view.running.length === 0 && !waits;
  const spins = works
    ? [clipped([...spinner(now), span(`${seconds(now - since)}  Esc stops`, { dim: true })], page.width)]
    : [];
  const rows = parts.length > 0 && spins.length > 0 ? [...parts, [], ...spins] : [...parts, ...spins];
  return rows.length === 0 ? [] : [[], ...rows];
}

function runningRows({ name, input, begun, lines, partial }: Running, { now, question }: Scene): Row[] {
  const mark = question === undefined ? spinner(now) : [span("· ", { dim: true })];
  const head = [...mark, ...namedRow(name, input), span(`  ${seconds(now - begun)}`, { dim: true })];
  const output = partial === "" ? lines : [...lines, partial];
  return [head, ...output.map((line) => [span(`    ${line}`, { dim: true })])];
}

function queuedRows(queued: readonly string[], width: number): Row[] {
  const shown = queued.slice(0, queuedMost).map((text) => {
    const line = text.split("\n", 1)[0] ?? "";
    return clipped([span(`  waits: ${line}${line === text ? "" : " …"}`, { dim: true })], width);
  });
  const rest = queued.length - queuedMost;
  return rest > 0 ? [...shown, [span(`  and ${rest} more`, { dim: true })]] : shown;
}

function writingRows(scene: Scene, width: number, most: number): Live {
  const { question, choosing, prompt } = scene;
  if (question !== undefined) return questionRows(question, width, most);
  if (choosing !== undefined) {
    const title = clipped([span(`  ${choosing.title}`, { bold: true })], width);
    return { rows: [title, ...selectRows(choosing.select, width, Math.min(listMost, most) + 1)], cursor: undefined };
  }
  if (prompt.search !== undefined) return searchRows(scene, width, most);
  const draft = draftRows(prompt.buffer.draft, width, Math.min(draftMost, most));
  const { popup } = prompt;
  if (popup === undefined) return draft;
  const items = popup.items.map(({ insert, label, note }) => ({ value: insert, label, note }));
  const list = selectRows({ items, selected: popup.selected, words: undefined }, width, Math.min(listMost, most));
  return { rows: [...draft.rows, ...list], cursor: draft.cursor };
}

function questionRows({ action, select, reason }: Question, width: number, most: number): Live {
  const title = wrapped([span("? ", { bold: true, colour: "yellow" }), span(askedOf(action), { bold: true })], width);
  if (reason === undefined) return { rows: [...title, ...selectRows(select, width, most)], cursor: undefined };
  const draft = draftRows(reason.draft, width, most);
  const label = [span("  Why not? Enter says it, Esc goes back.", { dim: true })];
  const rows = [...title, clipped(label, width), ...draft.rows];
  return { rows, cursor: draft.cursor && { ...draft.cursor, row: draft.cursor.row + title.length + 1 } };
}

function searchRows({ prompt, history }: Scene, width: number, most: number): Live {
  const { words = "", at, before = "" } = prompt.search ?? {};
  const entry = at === undefined ? before : (history[at] ?? "");
  const rows = entry
    .split("\n")
    .slice(0, most - 1)
    .map((line) => clipped([span(`  ${line}`)], width));
  const nothing = words !== "" && at === undefined ? "  (nothing)" : "";
  const sought = [span("  search: ", { colour: "cyan" }), span(words)];
  const label = clipped([...sought, span(nothing, { dim: true })], width);
  return { rows: [...rows, label], cursor: { row: rows.length, column: Math.min(width - 1, widthOf(sought)) } };
}

/** The part of the draft around the cursor. */
function draftRows(draft: Draft, width: number, most: number): Live {
  const { rows, cursor } = layOut(draft, width - 3);
  const first = Math.max(0, Math.min(cursor.row - most + 1, rows.length - most));
  const shown = rows.slice(first, first + most);
  const marked = hung(shown, span(first === 0 ? "› " : "↑ ", { bold: true, colour: "cyan" }), span("  "));
  return { rows: marked, cursor: { row: cursor.row - first, column: cursor.column + 2 } };
}

function footRow({ hint }: Scene, status: ChatStatus, width: number): Row {
  return hint === "" ? statusRow(status, width) : clipped([span(`  ${hint}`, { colour: "yellow" })], width);
}

function spinner(now: number): Row {
  return [span(`${frameAt(now)} `, { colour: "cyan" })];
}

function seconds(ms: number): string {
  return `${Math.max(0, Math.floor(ms / 1000))} s`;
}
