/** The page: data in, what they are shown with wired together. Everything else is in a file of its own. */

import { createBar } from "./bar.ts";
import { openBodies, readEntries, readTotals, type Entry } from "./data.ts";
import { element } from "./dom.ts";
import { createHelp, listen, type Keys } from "./keys.ts";
import { createList } from "./list.ts";
import { createNavigation } from "./navigation.ts";
import { createPlots } from "./plot.ts";
import { createSelection } from "./selection.ts";
import { createSummary, createTables } from "./summary.ts";
import { toggleTheme } from "./theme.ts";
import type { Range } from "./time-scale.ts";
import { createTimeline } from "./timeline.ts";
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
  const bodies = openBodies();
  const list = createList(bodies);
  const navigation = createNavigation(list);
  const selection = createSelection(entries, bodies, (rows, share) => {
    navigation.show(rows);
    const searched = share < 1 ? `, searched ${Math.round(share * 100)} %` : "";
    const isAll = rows.length === entries.length && searched === "";
    bar.say(isAll ? "" : `${plural(rows.length, "row")}${searched}`);
  });
  const bar = createBar(entries, {
    filter: (filter) => void selection.choose({ filter }),
    words: (typed) => void selection.choose({ words: typed.trim() }),
    wholeTime: () => chooseTime(undefined),
    help: () => help().showModal(),
  });
  const timeline = createTimeline(entries, totals.time.whole, {
    pick: (at) => navigation.at(at),
    choose: chooseTime,
  });

  function markTime(range: Range | undefined): void {
    bar.chosen(range && `${clock(range.from)} to ${clock(range.to)}`);
    timeline.show(range);
  }

  function chooseTime(range: Range | undefined): void {
    markTime(range);
    void selection.choose({ range });
  }

  function leave(): void {
    bar.words.value = "";
    bar.words.blur();
    markTime(undefined);
    void selection.choose({ range: undefined, words: "" });
  }

  const keys: Keys = [
    { keys: ["j", "ArrowDown"], does: "next row", run: () => navigation.step(1) },
    { keys: ["k", "ArrowUp"], does: "row before", run: () => navigation.step(-1) },
    { keys: ["o"], does: "open or close the row (Enter does, too)", run: () => list.toggle(list.current()) },
    { keys: ["x"], does: "open all rows", run: () => list.toggleAll(true) },
    { keys: ["c"], does: "close all rows", run: () => list.toggleAll(false) },
    { keys: ["e"], does: "next trouble", run: () => navigation.trouble() },
    { keys: ["g", "Home"], does: "first row", run: () => navigation.first() },
    { keys: ["G", "End"], does: "last row", run: () => navigation.last() },
    { keys: ["/"], does: "search", run: () => bar.words.focus() },
    { keys: ["t"], does: "light or dark", run: toggleTheme },
    { keys: ["?"], does: "these keys", run: () => help().showModal() },
    { keys: ["Escape"], does: "leave the search, show everything", run: leave },
  ];
  const help = whenAsked(() => document.body.appendChild(createHelp(keys)));

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
  void selection.choose({});
}

/** Made when it is asked for first. */
function whenAsked<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}

function say(text: string): void {
  if (loading !== null) loading.textContent = text;
}

open().catch((error: unknown) =>
  say(`This page cannot be shown: ${error instanceof Error ? error.message : String(error)}`),
);
