/** The page: data in, what they are shown with wired together. Everything else is in a file of its own. */

import { createBar, everything, type Filter } from "./bar.ts";
import { openBodies, readEntries, readTotals, type Entry } from "./data.ts";
import { element } from "./dom.ts";
import { createHelp, listen, type Keys } from "./keys.ts";
import { createList } from "./list.ts";
import { createPlots } from "./plot.ts";
import { search } from "./search.ts";
import { createSummary, createTables } from "./summary.ts";
import { toggleTheme } from "./theme.ts";
import { createTimeline, type Range } from "./timeline.ts";
import { clock } from "./units.ts";
import { plural } from "../../ui/plural.ts";

const page = document.querySelector("#page");
const loading = document.querySelector("#loading");

async function open(): Promise<void> {
  const totals = await readTotals();
  const entries = await readEntries((share) => say(`Reading the trace … ${Math.round(share * 100)} %`));
  show(entries, totals);
}

function show(entries: readonly Entry[], totals: Awaited<ReturnType<typeof readTotals>>): void {
  let filter: Filter = everything;
  let words = "";
  let range: Range | undefined;
  let shown: readonly Entry[] = entries;
  let searching = new AbortController();

  const bodies = openBodies();
  const list = createList(bodies);
  const help = createHelpLater();
  const bar = createBar(entries, {
    filter(chosen) {
      filter = chosen;
      void update();
    },
    words(typed) {
      words = typed.trim();
      void update();
    },
    wholeTime: () => choose(undefined),
    help: () => help().showModal(),
  });
  const timeline = createTimeline(
    entries,
    totals.time.whole,
    (at) => void list.reveal(nearest(at)),
    (chosen) => choose(chosen),
  );

  function choose(chosen: Range | undefined): void {
    range = chosen;
    bar.chosen(chosen && `${clock(chosen.from)} to ${clock(chosen.to)}`);
    timeline.show(chosen);
    void update();
  }

  /** Shows the rows that pass; those of an older search that is still going on are forgotten. */
  async function update(): Promise<void> {
    searching.abort();
    searching = new AbortController();
    const { signal } = searching;
    const passing = entries.filter((entry) => filter.shows(entry) && isWithin(entry, range));
    if (words === "") return replace(passing, "");
    for await (const { entries: found, share } of search(words, passing, bodies, signal)) {
      if (signal.aborted) return;
      replace(found, share < 1 ? `, searched ${Math.round(share * 100)} %` : "");
    }
  }

  function replace(rows: readonly Entry[], more: string): void {
    shown = rows;
    list.show(rows);
    const isAll = rows.length === entries.length && more === "";
    bar.say(isAll ? "" : `${plural(rows.length, "row")}${more}`);
  }

  function nearest(at: number): number {
    const index = shown.findLastIndex((entry) => entry.at <= at);
    return Math.max(0, index);
  }

  function go(to: number): void {
    if (shown.length > 0) void list.reveal(Math.min(shown.length - 1, Math.max(0, to)));
  }

  /** The next row that something is amiss with; the first one again after the last. */
  function goToTrouble(): void {
    const here = list.current();
    const is = ({ tone }: Entry): boolean => tone === "bad";
    const after = shown.findIndex((entry, index) => index > here && is(entry));
    go(after === -1 ? shown.findIndex(is) : after);
  }

  const keys: Keys = [
    { keys: ["j", "ArrowDown"], does: "next row", run: () => go(list.current() + 1) },
    { keys: ["k", "ArrowUp"], does: "row before", run: () => go(list.current() - 1) },
    { keys: ["o"], does: "open or close the row (Enter does, too)", run: () => list.toggle(list.current()) },
    { keys: ["x"], does: "open all rows", run: () => list.toggleAll(true) },
    { keys: ["c"], does: "close all rows", run: () => list.toggleAll(false) },
    { keys: ["e"], does: "next trouble", run: goToTrouble },
    { keys: ["g", "Home"], does: "first row", run: () => go(0) },
    { keys: ["G", "End"], does: "last row", run: () => go(shown.length - 1) },
    { keys: ["/"], does: "search", run: () => bar.words.focus() },
    { keys: ["t"], does: "light or dark", run: toggleTheme },
    { keys: ["?"], does: "these keys", run: () => help().showModal() },
    { keys: ["Escape"], does: "leave the search, show everything", run: leave },
  ];

  function leave(): void {
    bar.words.value = "";
    bar.words.blur();
    words = "";
    choose(undefined);
  }

  /** It lists the keys, and one of them shows it. */
  function createHelpLater(): () => HTMLDialogElement {
    let dialog: HTMLDialogElement | undefined;
    return () => {
      dialog ??= document.body.appendChild(createHelp(keys));
      return dialog;
    };
  }

  document.title = `${totals.task} – croft trace`;
  page?.replaceChildren(
    createSummary(totals),
    element(
      "section",
      { id: "overview", "aria-label": "Overview" },
      timeline.element,
      createPlots(entries),
      createTables(totals),
    ),
    bar.element,
    list.element,
  );
  listen(keys);
  void update();
}

function isWithin({ at, spans = [] }: Entry, range: Range | undefined): boolean {
  if (range === undefined) return true;
  const end = Math.max(at, ...spans.map((span) => span.at + span.ms));
  const start = Math.min(at, ...spans.map((span) => span.at));
  return start <= range.to && end >= range.from;
}

function say(text: string): void {
  if (loading !== null) loading.textContent = text;
}

open().catch((error: unknown) =>
  say(`This page cannot be shown: ${error instanceof Error ? error.message : String(error)}`),
);
