/** What stands on the timeline: ticks, a lane for each that was at work, marks of trouble. */

import type { Lane } from "../row.ts";
import { duration } from "../../ui/numbers.ts";
import type { Entry } from "./data.ts";
import { svgElement } from "./dom.ts";
import { left, type TimeScale } from "./time-scale.ts";
import { clock, roundUp } from "./units.ts";

const lanes: readonly (readonly [Lane, string])[] = [
  ["model", "model"],
  ["tools", "tools"],
  ["checks", "checks"],
  ["person", "waiting for a person"],
];
const laneHeight = 20;
const top = 4;
export const height: number = top + lanes.length * laneHeight + 24;
/** Pixels from the top: here the lanes end, and below stand the times. */
export const floor: number = height - 20;
/** Pixels of a box that stands for several spans. */
const mergedMost = 12;
/** Pixels between two marks of trouble. */
const apart = 5;

export function drawTimeline(entries: readonly Entry[], scale: TimeScale): SVGElement[] {
  return [
    ...ticks(scale),
    ...lanes.flatMap(([lane, name], row) => laneElements(boxesOf(entries, lane, scale), { lane, name, row, scale })),
    ...troubles(entries, scale),
  ];
}

function ticks({ range, perPixel, x }: TimeScale): SVGElement[] {
  const step = stepFor((range.to - range.from) / 8);
  const first = Math.ceil(range.from / step);
  const count = Math.floor(range.to / step) - first + 1;
  return Array.from({ length: count }, (_, index) => (first + index) * step).flatMap((at) => [
    svgElement("line", { class: "grid", x1: x(at), x2: x(at), y1: top, y2: floor }),
    svgElement(
      "text",
      { class: "axis", x: x(at), y: height - 6, "text-anchor": at > range.to - 30 * perPixel ? "end" : "middle" },
      clock(at, { exact: step < 1000 }),
    ),
  ]);
}

/** Milliseconds between two ticks, at least as many: seconds, minutes and hours are not counted in tens. */
function stepFor(least: number): number {
  const round = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600].map((seconds) => seconds * 1000);
  if (least < 1000) return roundUp(least);
  return round.find((step) => step >= least) ?? Math.ceil(least / 3_600_000) * 3_600_000;
}

/** Spans drawn as one: from and to in pixels, the milliseconds and the number of them. */
type Box = { from: number; to: number; ms: number; many: number };

/** What lies less than a pixel apart is one box, up to a width: a lane never has more boxes than it has pixels. */
function boxesOf(entries: readonly Entry[], lane: Lane, { range, x }: TimeScale): Box[] {
  const boxes: Box[] = [];
  for (const span of entries.flatMap(({ spans = [] }) => spans)) {
    if (span.lane !== lane || span.at + span.ms < range.from || span.at > range.to) continue;
    const from = x(Math.max(range.from, span.at));
    const to = x(Math.min(range.to, span.at + span.ms));
    const last = boxes.at(-1);
    if (last !== undefined && from <= last.to + 1 && to - last.from <= mergedMost) {
      last.to = Math.max(last.to, to);
      last.ms += span.ms;
      last.many += 1;
    } else {
      boxes.push({ from, to, ms: span.ms, many: 1 });
    }
  }
  return boxes;
}

type Row = { lane: Lane; name: string; row: number; scale: TimeScale };

function laneElements(boxes: readonly Box[], { lane, name, row, scale }: Row): SVGElement[] {
  const y = top + row * laneHeight;
  const label = svgElement("text", { class: "axis", x: left - 10, y: y + 14, "text-anchor": "end" }, name);
  const rects = boxes.map(({ from, to, ms, many }) => {
    // Paler where others were at work in between.
    const busy = many === 1 ? 1 : Math.max(0.35, Math.min(1, ms / ((to - from) * scale.perPixel)));
    const place = { x: from, y: y + 3, width: Math.max(1.5, to - from), height: laneHeight - 6, rx: 2 };
    const words = many === 1 ? `${name}: ${duration(ms)}` : `${name}: ${many} times, ${duration(ms)}`;
    const title = svgElement("title", {}, words);
    return svgElement("rect", { class: `lane ${lane}`, ...place, "fill-opacity": busy }, title);
  });
  return [label, ...rects];
}

function troubles(entries: readonly Entry[], { range, x }: TimeScale): SVGElement[] {
  const pixels = new Map<number, Entry>();
  for (const entry of entries) {
    if (entry.tone === "bad" && entry.at >= range.from && entry.at <= range.to)
      pixels.set(apart * Math.round(x(entry.at) / apart), entry);
  }
  return [...pixels].map(([at, { title }]) =>
    svgElement("path", { class: "trouble", d: `M${at} ${floor}l-4 7h8z` }, svgElement("title", {}, title)),
  );
}
