/** Calls of tools as rows. No tool is known here: what there is to show of a call, its result says. */

import { todosIn } from "@croft/harness";
import { landedShown } from "../changes.ts";
import { paintFor } from "../paint.ts";
import { endLines } from "../running.ts";
import { todoLines } from "../todos.ts";
import type { EndedCall } from "./block.ts";
import { span, widthOf, type Row } from "./look.ts";
import { clipped, wrapped } from "./wrap.ts";

const noPaint = paintFor(false);
/** Characters of a value, rows of an error. */
const valueMost = 300;
const errorRows = 4;

/** A line for the call and its result, then what there is to tell of it. */
export function callRows(call: EndedCall, width: number): Row[] {
  const { name, input, ok, preview, details, seconds, landed, output } = call;
  const mark = ok ? span("✓ ", { colour: "green" }) : span("✗ ", { colour: "red" });
  const head = [mark, ...namedRow(name, input)];
  if (landed !== undefined) {
    return [clipped(head, width), ...landed.map((each) => clipped([span(`  ${landedShown(each)}`)], width))];
  }
  const todos = todosIn(details) ?? [];
  if (todos.length > 0) {
    const lines = todos.flatMap((todo) =>
      todoLines([todo], noPaint).map((line) => [span(line.slice(1), { dim: todo.state === "done" })]),
    );
    return [
      clipped([mark, span(name, { bold: true }), span("  "), span(preview, { dim: true })], width),
      ...lines.map((row) => clipped(row, width)),
    ];
  }
  const [end, ...told] = endLines(details, preview, seconds, noPaint).map((line) => line.trim());
  if (end !== undefined) {
    const last = ok ? [] : output.map((line) => span(`  ${line}`, { dim: true }));
    const lines = [
      span(`  ${end}`, ok ? { dim: true } : { colour: "red" }),
      ...told.map((line) => span(`  ${line}`, { dim: true })),
    ];
    return [clipped(head, width), ...[...last, ...lines].map((line) => clipped([line], width))];
  }
  if (ok) {
    const row = [...head, span("  "), span(preview, { dim: true })];
    const fits = widthOf(row) <= width || widthOf(head) + 12 < width;
    return fits
      ? [clipped(row, width)]
      : [clipped(head, width), clipped([span("  "), span(preview, { dim: true })], width)];
  }
  const told_ = wrapped([span(preview, { colour: "red" })], width - 2).slice(0, errorRows);
  return [clipped(head, width), ...told_.map((row) => [span("  "), ...row])];
}

/** `search "x" path: src`: the first value as it is, the others with their names. */
export function namedRow(name: string, input: unknown): Row {
  return [span(name, { bold: true }), span(argumentsShown(input), {})];
}

function argumentsShown(input: unknown): string {
  if (typeof input !== "object" || input === null) return input === undefined ? "" : ` ${shown(input)}`;
  const entries = Object.entries(input).filter(([, value]) => value !== undefined);
  return entries.map(([key, value], index) => (index === 0 ? ` ${shown(value)}` : ` ${key}: ${shown(value)}`)).join("");
}

function shown(value: unknown): string {
  const words = Array.isArray(value) && value.every((each) => typeof each === "string") ? value.join(" ") : undefined;
  const text = typeof value === "string" ? value : (words ?? JSON.stringify(value) ?? "");
  const first = text.split("\n", 1)[0] ?? "";
  const line = first.slice(0, valueMost);
  return line.length < text.length ? `${line}… (+${text.length - line.length} characters)` : line;
}
