/** The bar above the rows: which kinds, which words, which stretch of time, and how the page looks. */

import { grouped } from "../../ui/numbers.ts";
import type { Kind } from "../row.ts";
import type { Entry } from "./data.ts";
import { element } from "./dom.ts";
import { themeButton } from "./theme.ts";

export type Filter = { name: string; shows: (entry: Entry) => boolean };

const ofKinds =
  (...kinds: readonly Kind[]) =>
  ({ kind }: Entry): boolean =>
    kinds.includes(kind);

export const everything: Filter = { name: "Everything", shows: () => true };
const filters: readonly Filter[] = [
  everything,
  { name: "Conversation", shows: ofKinds("turn", "message") },
  { name: "Tools", shows: ofKinds("call", "command", "change") },
  { name: "Commands", shows: ofKinds("command") },
  { name: "Changes", shows: ofKinds("change") },
  { name: "Checks", shows: ofKinds("check", "citations") },
  { name: "Steps", shows: ofKinds("step") },
  { name: "Trouble", shows: ({ tone }) => tone === "bad" || tone === "doubt" },
];

export type Bar = {
  element: HTMLElement;
  words: HTMLInputElement;
  /** What is shown, and how far a search has come. */
  say(told: string): void;
  /** Shows that a stretch of time is chosen. */
  chosen(told: string | undefined): void;
};

export function createBar(
  entries: readonly Entry[],
  on: { filter(filter: Filter): void; words(words: string): void; wholeTime(): void; help(): void },
): Bar {
  const words = element("input", { type: "search", placeholder: "Search everything  /", "aria-label": "Search" });
  words.addEventListener("input", () => on.words(words.value));
  const told = element("output", { "aria-live": "polite" });
  const time = element("button", { type: "button", class: "time", title: "Show all of the time again" });
  time.hidden = true;
  time.addEventListener("click", () => on.wholeTime());
  const buttons = filters.flatMap((filter) => {
    const count = entries.filter(filter.shows).length;
    if (count === 0) return [];
    const button = element(
      "button",
      { type: "button", "aria-pressed": filter === everything ? "true" : "false" },
      filter.name,
      element("small", {}, grouped(count)),
    );
    button.addEventListener("click", () => {
      for (const each of buttons) each.setAttribute("aria-pressed", String(each === button));
      on.filter(filter);
    });
    return [button];
  });
  const help = element("button", { type: "button", title: "Keys  ?", "aria-label": "Keys" }, "?");
  help.addEventListener("click", () => on.help());
  return {
    element: element(
      "nav",
      { id: "bar", "aria-label": "Filter" },
      element("div", { class: "filters" }, ...buttons),
      element("div", { class: "find" }, time, told, words, help, themeButton()),
    ),
    words,
    say: (text) => void (told.value = text),
    chosen(text) {
      time.hidden = text === undefined;
      time.textContent = text === undefined ? "" : `${text}  ×`;
    },
  };
}
