/** Who was at work when: a lane each, drawn again for every width; dragging chooses a stretch of time. */

import type { Lane } from "../row.ts";
import { duration } from "../../ui/numbers.ts";
import type { Entry } from "./data.ts";
import { element, svgElement } from "./dom.ts";
import { clock, roundUp } from "./units.ts";

export type Range = { from: number; to: number };
export type Timeline = {
  element: HTMLElement;
  /** Undefined: all of it. */
  show(range: Range | undefined): void;
};

const lanes: readonly (readonly [Lane, string])[] = [
  ["model", "model"],
  ["tools", "tools"],
  ["checks", "checks"],
  ["person", "waiting for a person"],
];
const laneHeight = 20;
const top = 4;
const left = 140;
const right = 12;
const height = top + lanes.length * laneHeight + 24;
/** Pixels of a box that stands for several spans. */
const mergedMost = 12;
/** Pixels between two marks of trouble. */
const apart = 5;
/** Pixels below which a drag is a click. */
const dragLeast = 5;

/** `pick` is given the time of a click, `choose` the stretch of a drag. */
export function createTimeline(
  entries: readonly Entry[],
  whole: number,
  pick: (at: number) => void,
  choose: (range: Range) => void,
): Timeline {
  const svg = svgElement("svg", { class: "timeline", role: "img", "aria-label": "Timeline: who was at work when" });
  const holder = element("div", { class: "plot wide" });
  holder.append(svg);
  let range: Range = { from: 0, to: Math.max(1, whole) };
  let width = 900;

  const x = (at: number): number => left + ((at - range.from) / (range.to - range.from)) * (width - left - right);
  const perPixel = (): number => (range.to - range.from) / (width - left - right);
  const timeAt = (event: PointerEvent): number => {
    const place = (event.clientX - svg.getBoundingClientRect().left - left) / (width - left - right);
    return range.from + Math.min(1, Math.max(0, place)) * (range.to - range.from);
  };

  function draw(): void {
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("height", String(height));
    svg.replaceChildren(
      ...ticks(),
      ...lanes.flatMap(([lane, name], row) => laneElements(lane, name, row)),
      ...troubles(),
    );
  }

  function ticks(): SVGElement[] {
    const step = stepFor((range.to - range.from) / 8);
    const first = Math.ceil(range.from / step);
    const count = Math.floor(range.to / step) - first + 1;
    return Array.from({ length: count }, (_, index) => (first + index) * step).flatMap((at) => [
      svgElement("line", { class: "grid", x1: x(at), x2: x(at), y1: top, y2: height - 20 }),
      svgElement(
        "text",
        { class: "axis", x: x(at), y: height - 6, "text-anchor": at > range.to - 30 * perPixel() ? "end" : "middle" },
        clock(at, { exact: step < 1000 }),
      ),
    ]);
  }

  function laneElements(lane: Lane, name: string, row: number): SVGElement[] {
    const y = top + row * laneHeight;
    return [
      svgElement("text", { class: "axis", x: left - 10, y: y + 14, "text-anchor": "end" }, name),
      ...merged(lane).map(({ from, to, ms, many }) => {
        // Paler where others were at work in between.
        const busy = many === 1 ? 1 : Math.max(0.35, Math.min(1, ms / ((to - from) * perPixel())));
        const told = many === 1 ? `${name}: ${duration(ms)}` : `${name}: ${many} times, ${duration(ms)}`;
        const box = {
          x: from,
          y: y + 3,
          width: Math.max(1.5, to - from),
          height: laneHeight - 6,
          rx: 2,
          "fill-opacity": busy,
        };
        return svgElement("rect", { class: `lane ${lane}`, ...box }, svgElement("title", {}, told));
      }),
    ];
  }

  /** What lies less than a pixel apart is one box, up to a width: a lane never has more boxes than it has pixels. */
  function merged(lane: Lane): { from: number; to: number; ms: number; many: number }[] {
    const boxes: { from: number; to: number; ms: number; many: number }[] = [];
    for (const { spans = [] } of entries) {
      for (const span of spans) {
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
    }
    return boxes;
  }

  function troubles(): SVGElement[] {
    const pixels = new Map<number, Entry>();
    for (const entry of entries) {
      if (entry.tone === "bad" && entry.at >= range.from && entry.at <= range.to)
        pixels.set(apart * Math.round(x(entry.at) / apart), entry);
    }
    return [...pixels].map(([at, { title }]) =>
      svgElement("path", { class: "trouble", d: `M${at} ${height - 20}l-4 7h8z` }, svgElement("title", {}, title)),
    );
  }

  let begun: { at: number; clientX: number; box: SVGRectElement } | undefined;
  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    svg.setPointerCapture(event.pointerId);
    const box = svgElement("rect", { class: "chosen", y: 0, height: height - 20 });
    svg.append(box);
    begun = { at: timeAt(event), clientX: event.clientX, box };
  });
  svg.addEventListener("pointermove", (event) => {
    if (begun === undefined) return;
    const [from, to] = [x(begun.at), x(timeAt(event))].toSorted((one, other) => one - other);
    begun.box.setAttribute("x", String(from));
    begun.box.setAttribute("width", String((to ?? 0) - (from ?? 0)));
  });
  svg.addEventListener("pointerup", (event) => {
    if (begun === undefined) return;
    const [from = 0, to = 0] = [begun.at, timeAt(event)].toSorted((one, other) => one - other);
    if (Math.abs(event.clientX - begun.clientX) < dragLeast) pick(from);
    else choose({ from, to });
    begun.box.remove();
    begun = undefined;
  });

  new ResizeObserver(() => {
    width = Math.max(360, svg.clientWidth);
    draw();
  }).observe(svg);

  return {
    element: holder,
    show(chosen) {
      range = chosen ?? { from: 0, to: Math.max(1, whole) };
      draw();
    },
  };
}

/** Milliseconds between two ticks, at least as many: seconds, minutes and hours are not counted in tens. */
function stepFor(least: number): number {
  const round = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600].map((seconds) => seconds * 1000);
  if (least < 1000) return roundUp(least);
  return round.find((step) => step >= least) ?? Math.ceil(least / 3_600_000) * 3_600_000;
}
