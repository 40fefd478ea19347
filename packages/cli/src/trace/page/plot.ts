/** Three plots over the requests of a run: dollars so far, tokens of each, how full the context was. */

import { grouped, money } from "../../ui/numbers.ts";
import type { Tokens } from "../row.ts";
import type { Entry } from "./data.ts";
import { element, svgElement } from "./dom.ts";
import { roundUp, short } from "./units.ts";

const width = 360;
const height = 150;
const left = 52;
const right = 6;
const top = 8;
const bottom = 20;
/** Bars of one plot; of more requests the neighbours share one. */
const barsMost = 120;

const counters: readonly (readonly [name: string, index: 0 | 1 | 2 | 3])[] = [
  ["cache read", 1],
  ["cache write", 2],
  ["input", 0],
  ["output", 3],
];

type Request = { tokens: Tokens; dollars: number | undefined };
type Bar = { tokens: Tokens; context: number; dollars: number; label: string };

export function createPlots(entries: readonly Entry[]): HTMLElement {
  const requests = entries.flatMap(({ tokens, dollars }) => (tokens === undefined ? [] : [{ tokens, dollars }]));
  const bars = barsOf(requests);
  const isPriced = requests.every(({ dollars }) => dollars !== undefined);
  const mean = requests.length > barsMost ? " (mean)" : "";
  return element(
    "div",
    { class: "plots" },
    frame("Dollars so far", isPriced ? dollarsPlot(bars) : note("CappedList model has no price.")),
    frame(`Tokens of each request${mean}`, tokensPlot(bars), legend()),
    frame("Context: tokens sent with each request", contextPlot(bars)),
  );
}

function barsOf(requests: readonly Request[]): Bar[] {
  const size = Math.max(1, Math.ceil(requests.length / barsMost));
  const bars: Bar[] = [];
  let dollars = 0;
  for (let at = 0; at < requests.length; at += size) {
    const group = requests.slice(at, at + size);
    for (const request of group) dollars += request.dollars ?? 0;
    const mean = (index: 0 | 1 | 2 | 3): number =>
      group.reduce((sum, { tokens }) => sum + tokens[index], 0) / group.length;
    const context = Math.max(...group.map(({ tokens }) => tokens[0] + tokens[1] + tokens[2]));
    const label = group.length === 1 ? `request ${at + 1}` : `requests ${at + 1} to ${at + group.length}`;
    bars.push({ tokens: [mean(0), mean(1), mean(2), mean(3)], context, dollars, label });
  }
  return bars;
}

function dollarsPlot(bars: readonly Bar[]): SVGElement {
  const most = roundUp(bars.at(-1)?.dollars ?? 0);
  const y = scale(most);
  const points = bars.map((bar, index) => `${x(index + 1, bars.length)} ${y(bar.dollars)}`);
  const line = `M${x(0, bars.length)} ${y(0)}${points.map((point) => `L${point}`).join("")}`;
  return axes(most, dollarsOf, "Dollars so far", [
    svgElement("path", { class: "area", d: `${line}L${x(bars.length, bars.length)} ${y(0)}Z` }),
    svgElement("path", { class: "curve", d: line }),
    ...bars.map((bar, index) => hover(index, bars.length, `${bar.label}: ${money(bar.dollars)}`)),
  ]);
}

function tokensPlot(bars: readonly Bar[]): SVGElement {
  const all = ({ tokens }: Bar): number => tokens.reduce((sum, each) => sum + each, 0);
  const most = roundUp(Math.max(0, ...bars.map(all)));
  const y = scale(most);
  return axes(most, short, "Tokens of each request", [
    ...bars.flatMap((bar, index) => {
      let below = 0;
      return counters.map(([name, counter]) => {
        const from = below;
        below += bar.tokens[counter];
        return svgElement("rect", {
          class: `tokens ${name.replace(" ", "-")}`,
          ...column(index, bars.length),
          y: y(below),
          height: Math.max(0, y(from) - y(below)),
        });
      });
    }),
    ...bars.map((bar, index) => {
      const told = counters.map(([name, counter]) => `${name} ${grouped(Math.round(bar.tokens[counter]))}`);
      return hover(index, bars.length, `${bar.label}: ${told.join(", ")}`);
    }),
  ]);
}

function contextPlot(bars: readonly Bar[]): SVGElement {
  const most = roundUp(Math.max(0, ...bars.map(({ context }) => context)));
  const y = scale(most);
  return axes(most, short, "Context of each request", [
    ...bars.map(({ context }, index) =>
      svgElement("rect", { class: "context", ...column(index, bars.length), y: y(context), height: y(0) - y(context) }),
    ),
    ...bars.map((bar, index) => hover(index, bars.length, `${bar.label}: ${grouped(bar.context)} tokens`)),
  ]);
}

/** On an axis, where `$0.5000` would pretend to be exact. */
function dollarsOf(amount: number): string {
  return `$${Number(amount.toPrecision(3))}`;
}

function x(index: number, count: number): number {
  return left + (index / Math.max(1, count)) * (width - left - right);
}

function column(index: number, count: number): { x: number; width: number } {
  const step = x(1, count) - x(0, count);
  const gap = Math.min(2, step / 4);
  const wide = Math.min(28, step - gap);
  return { x: x(index, count) + (step - wide) / 2, width: wide };
}

function scale(most: number): (value: number) => number {
  return (value) => height - bottom - (value / most) * (height - top - bottom);
}

function axes(most: number, told: (value: number) => string, label: string, inner: readonly SVGElement[]): SVGElement {
  const y = scale(most);
  return svgElement(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    ...[0, most / 2, most].flatMap((value) => [
      svgElement("line", { class: "grid", x1: left, x2: width - right, y1: y(value), y2: y(value) }),
      svgElement("text", { class: "axis", x: left - 6, y: y(value) + 4, "text-anchor": "end" }, told(value)),
    ]),
    ...inner,
  );
}

/** The whole height answers to the pointer. */
function hover(index: number, count: number, told: string): SVGElement {
  const place = { x: x(index, count), y: top, width: x(1, count) - x(0, count), height: height - top - bottom };
  return svgElement("rect", { class: "hover", ...place }, svgElement("title", {}, told));
}

function frame(title: string, ...inner: readonly Node[]): HTMLElement {
  return element("figure", { class: "plot" }, element("figcaption", {}, title), ...inner);
}

function legend(): HTMLElement {
  const names = counters.map(([name]) => element("li", { class: name.replace(" ", "-") }, name));
  return element("ul", { class: "legend" }, ...names);
}

function note(words: string): HTMLElement {
  return element("p", { class: "none" }, words);
}
