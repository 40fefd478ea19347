/** Who was at work when: drawn again for every width; dragging chooses a stretch of time. */

import type { Entry } from "./data.ts";
import { element, svgElement } from "./dom.ts";
import { drawTimeline, floor, height } from "./draw-timeline.ts";
import { createTimeScale, type Range, type TimeScale } from "./time-scale.ts";

export type Timeline = {
  element: HTMLElement;
  /** Undefined: all of it. */
  show(range: Range | undefined): void;
};

/** `pick` is given the time of a click, `choose` the stretch of a drag. */
export type Choosing = { pick: (at: number) => void; choose: (range: Range) => void };

/** Pixels below which a drag is a click. */
const dragLeast = 5;

/** `ms`: of the whole run. */
export function createTimeline(entries: readonly Entry[], ms: number, choosing: Choosing): Timeline {
  const svg = svgElement("svg", { class: "timeline", role: "img", "aria-label": "Timeline: who was at work when" });
  const holder = element("div", { class: "plot wide" });
  holder.append(svg);
  const whole: Range = { from: 0, to: Math.max(1, ms) };
  let scale = createTimeScale(whole, 900);

  function draw(next: TimeScale): void {
    scale = next;
    svg.setAttribute("viewBox", `0 0 ${scale.width} ${height}`);
    svg.setAttribute("height", String(height));
    svg.replaceChildren(...drawTimeline(entries, scale));
  }

  listenForDrags(svg, () => scale, choosing);
  new ResizeObserver(() => draw(createTimeScale(scale.range, Math.max(360, svg.clientWidth)))).observe(svg);

  return {
    element: holder,
    show: (range = whole) => draw(createTimeScale(range, scale.width)),
  };
}

function listenForDrags(svg: SVGSVGElement, scale: () => TimeScale, { pick, choose }: Choosing): void {
  const timeAt = ({ clientX }: PointerEvent): number => scale().timeAt(clientX - svg.getBoundingClientRect().left);
  let begun: { at: number; clientX: number; box: SVGRectElement } | undefined;
  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    svg.setPointerCapture(event.pointerId);
    const box = svgElement("rect", { class: "chosen", y: 0, height: floor });
    svg.append(box);
    begun = { at: timeAt(event), clientX: event.clientX, box };
  });
  svg.addEventListener("pointermove", (event) => {
    if (begun === undefined) return;
    const { from, to } = between(scale().x(begun.at), scale().x(timeAt(event)));
    begun.box.setAttribute("x", String(from));
    begun.box.setAttribute("width", String(to - from));
  });
  svg.addEventListener("pointerup", (event) => {
    if (begun === undefined) return;
    const range = between(begun.at, timeAt(event));
    if (Math.abs(event.clientX - begun.clientX) < dragLeast) pick(range.from);
    else choose(range);
    begun.box.remove();
    begun = undefined;
  });
}

/** From the lower to the higher of two. */
function between(one: number, other: number): Range {
  return { from: Math.min(one, other), to: Math.max(one, other) };
}
