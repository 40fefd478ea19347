/** What the run came to, above everything else. */

import { duration, grouped, money } from "../../ui/numbers.ts";
import { plural } from "../../ui/plural.ts";
import type { CappedList, Totals } from "../totals.ts";
import { element, type Child } from "./dom.ts";

export function createSummary(totals: Totals): HTMLElement {
  const { task, session, models, root, turns, steps, dollars, tokens, time, damage } = totals;
  const status = turns.first.at(-1)?.status ?? "";
  const all = tokens.input + tokens.cacheRead + tokens.cacheWrite + tokens.output;
  return element(
    "header",
    { id: "summary" },
    element("h1", {}, task),
    element("p", { class: "where" }, `${models.join(", ")} in ${root}, session ${session}`),
    ...damaged(damage),
    element(
      "ul",
      { class: "figures" },
      figure(
        status,
        turns.count === 1 ? "how it ended" : `how the last of ${plural(turns.count, "turn")} ended`,
        status === "done" ? "good" : "bad",
      ),
      figure(grouped(steps), steps === 1 ? "step" : "steps"),
      figure(
        duration(time.whole),
        `model ${duration(time.model)}, tools ${duration(time.tools)}, person ${duration(time.person)}`,
      ),
      figure(grouped(all), `tokens, ${share(tokens.cacheRead, all)} of them read from the cache`),
      figure(money(dollars), "cost"),
    ),
  );
}

/** Lists below the plots. */
export function createTables({ tools, files, commands, citations, turns }: Totals): HTMLElement {
  const states = Object.entries(citations.states).map(([state, count]) => `${grouped(count)} ${state}`);
  return element(
    "div",
    { class: "tables" },
    table(numbered("Turns", turns.count), turns, ({ status, steps, task }) => [status, plural(steps, "step"), task]),
    table(numbered("Tools", tools.length), { count: tools.length, first: tools }, ({ name, calls, failed, ms }) => [
      name,
      plural(calls, "call"),
      failed === 0 ? "" : `${failed} failed`,
      duration(ms),
    ]),
    table(numbered("Files changed", files.count), files, ({ path, became, added, removed }) => [
      path,
      became,
      `+${added} -${removed}`,
    ]),
    table(numbered("Commands", commands.count), commands, ({ command, outcome, ms }) => [
      command,
      outcome,
      duration(ms),
    ]),
    table(
      `Citations: ${states.length === 0 ? "none" : states.join(", ")}`,
      citations.doubts,
      ({ ref, state, reason }) => [ref, state, reason],
    ),
  );
}

function damaged({ unreadable, altered }: Totals["damage"]): Child[] {
  const told = [
    ...lines("cannot be read", unreadable),
    ...lines(
      altered.count === 1 ? "was changed after it was written" : "were changed after they were written",
      altered,
    ),
  ];
  return told.length === 0 ? [] : [element("p", { class: "damage", role: "alert" }, `${told.join("; ")}.`)];
}

function lines(what: string, { count, first }: CappedList<number>): string[] {
  if (count === 0) return [];
  const more = count > 20 ? " and more" : "";
  return [`${plural(count, "line")} of the trace ${what} (${first.slice(0, 20).join(", ")}${more})`];
}

function figure(value: string, what: string, tone?: string): HTMLElement {
  return element("li", { "data-tone": tone }, element("strong", {}, value), element("span", {}, what));
}

function share(part: number, all: number): string {
  return all === 0 ? "none" : `${Math.round((part / all) * 100)} %`;
}

/** Folded; a line where there is nothing to unfold. */
function table<Entry>(
  title: string,
  { count, first }: CappedList<Entry>,
  cells: (entry: Entry) => readonly string[],
): HTMLElement {
  if (count === 0) return element("p", { class: "none" }, title);
  const rest = count - first.length;
  return element(
    "details",
    {},
    element("summary", {}, title),
    element(
      "table",
      {},
      ...first.map((entry) => element("tr", {}, ...cells(entry).map((cell) => element("td", {}, cell)))),
      ...(rest > 0 ? [element("tr", {}, element("td", {}, `and ${grouped(rest)} more`))] : []),
    ),
  );
}

function numbered(title: string, count: number): string {
  return `${title}: ${count === 0 ? "none" : grouped(count)}`;
}
