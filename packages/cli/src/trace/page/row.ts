/** A row: its head is a button, its body is looked up when it is to be seen. */

import type { Part } from "../row.ts";
import type { Entry } from "./data.ts";
import { element } from "./dom.ts";
import { partElement } from "./part.ts";
import { clock } from "./units.ts";

export type RowView = {
  element: HTMLElement;
  toggle(): void;
  /** Resolves when the body, if it is shown, is there. */
  settled: Promise<void>;
};

/** `lookUp` gives the body. `toggled`: rows that the reader opened or closed, against what they are by themselves. */
export function rowView(entry: Entry, lookUp: () => Promise<readonly Part[]>, toggled: Set<Entry>): RowView {
  const body = element("div", { class: "body" });
  const button = element(
    "button",
    { type: "button", class: "head" },
    element("span", { class: "at" }, clock(entry.at)),
    element("span", { class: "title" }, entry.title),
    element("span", { class: "note" }, entry.note ?? ""),
  );
  const row = element(
    "article",
    { class: `row ${entry.kind}`, "data-tone": entry.tone },
    element("h3", {}, button),
    body,
  );
  const isOpen = (): boolean => (entry.open === true) !== toggled.has(entry);

  async function show(): Promise<void> {
    button.setAttribute("aria-expanded", String(isOpen()));
    body.hidden = !isOpen();
    if (!isOpen() || body.childElementCount > 0) return;
    const parts = await lookUp();
    if (body.childElementCount === 0) body.append(...parts.map(partElement));
  }

  const view: RowView = {
    element: row,
    settled: show(),
    toggle() {
      if (!toggled.delete(entry)) toggled.add(entry);
      view.settled = show();
    },
  };
  button.addEventListener("click", () => view.toggle());
  return view;
}
