/** Light or dark: as the system has it, until the reader chooses. Nothing is remembered: a page in a file has no place for it. */

import { element } from "./dom.ts";

export function toggleTheme(): void {
  document.documentElement.dataset["theme"] = isDark() ? "light" : "dark";
}

export function themeButton(): HTMLElement {
  const button = element("button", { type: "button", title: "Light or dark  t", "aria-label": "Light or dark" }, "◐");
  button.addEventListener("click", toggleTheme);
  return button;
}

function isDark(): boolean {
  const chosen = document.documentElement.dataset["theme"];
  return chosen === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : chosen === "dark";
}
