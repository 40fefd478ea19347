/** A list of any length: sections of rows, of which those near the screen are filled and the others only keep their height. */

import type { Bodies, Entry } from "./data.ts";
import { element } from "./dom.ts";
import { rowView, type RowView } from "./row.ts";

export type List = {
  element: HTMLElement;
  /** In place of those that were shown. */
  show(entries: readonly Entry[]): void;
  /** Scrolls to a row and puts the focus on it. */
  reveal(index: number): Promise<void>;
  toggle(index: number): void;
  /** Opens or closes all. */
  toggleAll(open: boolean): void;
  /** The row that has the focus, else the first one on the screen. */
  current(): number;
};

const sectionRows = 40;
/** A list of so few rows is there as a whole, for printing and for the browser's own search. */
const alwaysWhole = 400;
/** Pixels of a closed row, and of an open one that nobody has seen yet. */
const closedHeight = 32;
const openHeight = 140;

type Section = { element: HTMLElement; entries: readonly Entry[]; rows: RowView[] | undefined };

export function createList(bodies: Bodies): List {
  const holder = element("section", { id: "rows", "aria-label": "What happened" });
  const toggled = new Set<Entry>();
  let entries: readonly Entry[] = [];
  let sections: Section[] = [];
  /** Of the row that was asked for last. */
  let revealing = new AbortController();
  const byElement = new WeakMap<Element, Section>();

  const observer = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) {
        const section = byElement.get(target);
        if (section === undefined) continue;
        if (isIntersecting) fill(section);
        else if (entries.length > alwaysWhole) empty(section);
      }
    },
    { rootMargin: "1500px" },
  );

  function fill(section: Section): RowView[] {
    if (section.rows !== undefined) return section.rows;
    const rows = section.entries.map((entry) =>
      rowView(entry, async () => (await bodies.of(entry.block))[entry.place] ?? [], toggled),
    );
    section.rows = rows;
    section.element.replaceChildren(...rows.map((row) => row.element));
    section.element.style.minHeight = "";
    return rows;
  }

  function empty(section: Section): void {
    if (section.rows === undefined || section.element.contains(document.activeElement)) return;
    section.element.style.minHeight = `${section.element.offsetHeight}px`;
    section.rows = undefined;
    section.element.replaceChildren();
  }

  function rowAt(index: number): RowView | undefined {
    const section = sections[Math.floor(index / sectionRows)];
    return section === undefined ? undefined : fill(section)[index % sectionRows];
  }

  return {
    element: holder,
    show(shown) {
      entries = shown;
      observer.disconnect();
      sections = [];
      for (let at = 0; at < shown.length; at += sectionRows) {
        const part = shown.slice(at, at + sectionRows);
        const made: Section = { element: element("div", { class: "rows" }), entries: part, rows: undefined };
        made.element.style.minHeight = `${heightOf(part)}px`;
        byElement.set(made.element, made);
        sections.push(made);
      }
      holder.replaceChildren(...sections.map((section) => section.element));
      for (const section of sections) {
        if (shown.length <= alwaysWhole) fill(section);
        observer.observe(section.element);
      }
    },
    async reveal(index) {
      const row = rowAt(index);
      if (row === undefined) return;
      revealing.abort();
      revealing = new AbortController();
      const { signal } = revealing;
      row.element.querySelector("button")?.focus({ preventScroll: true });
      // Sections that fill around it, and bodies that arrive, push it away again.
      for (let stood = 0; stood < 3 && !signal.aborted;) {
        const { top } = row.element.getBoundingClientRect();
        row.element.scrollIntoView({ block: "nearest" });
        await new Promise((resolve) => requestAnimationFrame(resolve));
        await Promise.all(sections.flatMap(({ rows = [] }) => rows.map(({ settled }) => settled)));
        stood = row.element.getBoundingClientRect().top === top ? stood + 1 : 0;
      }
    },
    toggle(index) {
      rowAt(index)?.toggle();
    },
    toggleAll(open) {
      toggled.clear();
      for (const entry of entries) if ((entry.open === true) !== open) toggled.add(entry);
      for (const section of sections) {
        if (section.rows === undefined) continue;
        section.rows = undefined;
        fill(section);
      }
    },
    current() {
      const focused = document.activeElement?.closest(".row");
      for (const [at, section] of sections.entries()) {
        for (const [place, { element: row }] of (section.rows ?? []).entries()) {
          const isIt =
            focused === null || focused === undefined ? row.getBoundingClientRect().bottom > 120 : row === focused;
          if (isIt) return at * sectionRows + place;
        }
      }
      return 0;
    },
  };
}

function heightOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, entry) => sum + (entry.open === true ? openHeight : closedHeight), 0);
}
