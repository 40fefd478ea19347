/** Calls of tools as rows. No tool is known here: what there is to show of a call, its result says. */

import { todosIn, type Landed, type Todo } from "@croft/harness";
import { landedText } from "../changes.ts";
import { noPaint } from "../paint.ts";
import { endLines } from "../running.ts";
import { todoLines } from "../todos.ts";
import type { EndedCall } from "./block.ts";
import { span, widthOf, type Row } from "./look.ts";
import { clipped, wrapped } from "./wrap.ts";

const dim = { dim: true } as const;
/** Characters of a value, rows of an error, columns of a result beside its call. */
const valueMost = 300;
const errorRowsMost = 6;
const previewLeast = 12;

/** A line for the call, and what there is to tell of how it ended. */
export function callRows(call: EndedCall, width: number): Row[] {
  const mark = call.ok ? span("✓ ", { colour: "green" }) : span("✗ ", { colour: "red" });
  if (call.landed !== undefined) {
    // What was asked for stands above, as a diff.
    const title = [mark, ...namedRow(call.name, firstArgument(call.input))];
    return fitting([title, ...call.landed.map(landedRow)], width);
  }
  const head = [mark, ...namedRow(call.name, call.input)];
  const todos = todosIn(call.details) ?? [];
  if (todos.length > 0) {
    const title = [mark, span(call.name, { bold: true }), span("  "), span(call.preview, dim)];
    return fitting([title, ...todos.flatMap(todoRows)], width);
  }
  const end = endRows(call);
  if (end.length > 0) return fitting([head, ...end], width);
  return call.ok ? resultRows(head, call.preview, width) : [clipped(head, width), ...errorRows(call.preview, width)];
}

function fitting(rows: readonly Row[], width: number): Row[] {
  return rows.map((row) => clipped(row, width));
}

function landedRow(landed: Landed): Row {
  return [span(`  ${landedText(landed)}`)];
}

function todoRows(todo: Todo): Row[] {
  return todoLines([todo], noPaint).map((line) => [span(line.slice(1), { dim: todo.state === "done" })]);
}

/** How a command ended, below the last of its output where it failed; nothing for what was no command. */
function endRows({ ok, details, preview, seconds, output }: EndedCall): Row[] {
  const [end, ...told] = endLines(details, preview, seconds, noPaint).map((line) => line.trim());
  if (end === undefined) return [];
  const below = (line: string): Row => [span(`  ${line}`, dim)];
  return [...(ok ? [] : output.map(below)), [span(`  ${end}`, ok ? dim : { colour: "red" })], ...told.map(below)];
}

/** Beside the call where there is room for it. */
function resultRows(head: Row, preview: string, width: number): Row[] {
  const result = [span("  "), span(preview, dim)];
  const row = [...head, ...result];
  const isRoom = widthOf(row) <= width || widthOf(head) + previewLeast < width;
  return fitting(isRoom ? [row] : [head, result], width);
}

function errorRows(preview: string, width: number): Row[] {
  const rows = wrapped([span(preview, { colour: "red" })], width - 2);
  const kept = rows.length > errorRowsMost ? [...rows.slice(0, errorRowsMost - 1), [span("…", dim)]] : rows;
  return kept.map((row) => [span("  "), ...row]);
}

/** `search "x" path: src`: the first value as it is, the others with their names. */
export function namedRow(name: string, input: unknown): Row {
  return [span(name, { bold: true }), span(argumentsText(input), {})];
}

function firstArgument(input: unknown): unknown {
  if (typeof input !== "object" || input === null) return input;
  return Object.fromEntries(Object.entries(input).slice(0, 1));
}

function argumentsText(input: unknown): string {
  if (typeof input !== "object" || input === null) return input === undefined ? "" : ` ${valueText(input)}`;
  const entries = Object.entries(input).filter(([, value]) => value !== undefined);
  return entries
    .map(([key, value], index) => {
      // A number or a truth value says nothing by itself.
      const isNamed = index > 0 || typeof value === "number" || typeof value === "boolean";
      return isNamed ? ` ${key}: ${valueText(value)}` : ` ${valueText(value)}`;
    })
    .join("");
}

function valueText(value: unknown): string {
  const words = Array.isArray(value) && value.every((each) => typeof each === "string") ? value.join(" ") : undefined;
  const text = typeof value === "string" ? value : (words ?? JSON.stringify(value) ?? "");
  const first = text.split("\n", 1)[0] ?? "";
  const line = first.slice(0, valueMost);
  return line.length < text.length ? `${line}… (+${text.length - line.length} characters)` : line;
}
