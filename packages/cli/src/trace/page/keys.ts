/** The page without a mouse. */

import { element } from "./dom.ts";

/** What each key does, for the reader and for the page. */
export type Keys = readonly { keys: readonly string[]; does: string; run: () => void }[];

/** Keys do nothing while somebody types, but Escape; and nothing while a dialog is open, which has its own. */
export function listen(keys: Keys): void {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (document.querySelector("dialog[open]") !== null) return;
    const types = event.target instanceof HTMLInputElement;
    if (types && event.key !== "Escape") return;
    const found = keys.find(({ keys: names }) => names.includes(event.key));
    if (found === undefined) return;
    event.preventDefault();
    found.run();
  });
}

export function createHelp(keys: Keys): HTMLDialogElement {
  const rows = keys.flatMap(({ keys: names, does }) => [
    element("dt", {}, ...names.map((name) => element("kbd", {}, name))),
    element("dd", {}, does),
  ]);
  const close = element("button", { type: "button" }, "Close");
  const dialog = element(
    "dialog",
    { "aria-label": "Keys" },
    element("h2", {}, "Keys"),
    element("dl", {}, ...rows),
    close,
  );
  close.addEventListener("click", () => dialog.close());
  return dialog;
}
