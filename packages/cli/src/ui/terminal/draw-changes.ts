/** Changes of files as rows: which file, and its diff with line numbers and changed words. */

import { placeText, type DiffLimits } from "../changes.ts";
import { plural } from "../plural.ts";
import type { Changes } from "./block.ts";
import { diffLines, lengthOf, type DiffLine } from "./diff-lines.ts";
import { span, type Look, type Row } from "./look.ts";
import { cut, hung, wrapped } from "./wrap.ts";

const signs = { added: "+", removed: "-", kept: " ", gap: " ", note: " " } as const;
const looks: Readonly<Record<DiffLine["kind"], Look>> = {
  added: { colour: "green" },
  removed: { colour: "red" },
  kept: { dim: true },
  gap: { dim: true },
  note: { dim: true },
};

/** Lines left out, and lines that are cut. */
export function hiddenIn(changes: Changes, limits: DiffLimits): number {
  const lines = changes.flatMap(({ diff }) => diffLines(diff));
  return hiddenOf(lines, limits);
}

function hiddenOf(lines: readonly DiffLine[], limits: DiffLimits): number {
  return lines.filter((line, index) => index >= limits.lines || lengthOf(line) > limits.characters).length;
}

export function changesRows(changes: Changes, width: number, limits: DiffLimits): Row[] {
  const diffs = changes.map(({ diff }) => diffLines(diff));
  let room = limits.lines;
  const rows = changes.flatMap((change, index) => {
    const head = [span(`${change.change ?? "change"} `, { bold: true }), span(placeText(change))];
    const lines = diffs[index] ?? [];
    const digits = String(lines.reduce((most, { number = 0 }) => Math.max(most, number), 0)).length;
    const shown = lines.slice(0, room);
    room -= shown.length;
    const limited = { digits, width, charactersMost: limits.characters };
    return [...wrapped(head, width), ...shown.flatMap((line) => lineRows(line, limited))];
  });
  const hidden = hiddenOf(diffs.flat(), limits);
  return hidden === 0 ? rows : [...rows, [span(`… (+${plural(hidden, "more line")})`, { dim: true })]];
}

type LineLimits = { digits: number; width: number; charactersMost: number };

function lineRows(line: DiffLine, { digits, width, charactersMost }: LineLimits): Row[] {
  const look = looks[line.kind];
  const number = line.kind === "gap" ? "…" : String(line.number ?? "");
  const margin = `${number.padStart(digits)} ${signs[line.kind]}`;
  const rest = lengthOf(line) - charactersMost;
  const parts = rest > 0 ? [{ text: textOf(line).slice(0, charactersMost), differs: false }] : line.parts;
  const row = parts.map(({ text, differs }) => span(text, differs ? { ...look, inverse: true } : look));
  const more = rest > 0 ? [span(`… (+${rest} more characters)`, { dim: true })] : [];
  const rows = cut([...row, ...more], width - margin.length);
  return hung(rows, span(margin, look), span(" ".repeat(margin.length)));
}

function textOf({ parts }: DiffLine): string {
  return parts.map(({ text }) => text).join("");
}
