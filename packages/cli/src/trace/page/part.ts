/** The pieces of a row's body as elements: appended one by one where there may be more than a call takes arguments. */

import type { Part } from "../row.ts";
import { diff } from "./diff.ts";
import { element } from "./dom.ts";
import { markdown } from "./markdown.ts";

/** Characters of a text that are shown at once; each press of the button shows as many more. */
const piece = 20_000;

export function partElement(part: Part): HTMLElement {
  switch (part.as) {
    case "markdown":
      return longText(part.text, markdown);
    case "text": {
      const shown = longText(part.text, (text) => element("pre", {}, text));
      if (part.folded === true) return element("details", {}, element("summary", {}, part.label), shown);
      return labelled(part.label, shown);
    }
    case "diff":
      return labelled(part.label, longText(part.text, diff));
    case "facts": {
      const list = element("dl");
      for (const [name, value] of part.facts) list.append(element("dt", {}, name), element("dd", {}, value));
      return list;
    }
    case "verdicts": {
      const list = element("ul", { class: "verdicts" });
      for (const { tone, what, says } of part.verdicts)
        list.append(element("li", { class: `tone-${tone}` }, element("code", {}, what), element("span", {}, says)));
      return list;
    }
    case "image":
  }
  return element("img", { src: `data:${part.mediaType};base64,${part.base64}`, alt: "an image from the run" });
}

function labelled(label: string, shown: HTMLElement): HTMLElement {
  return element("figure", {}, element("figcaption", {}, label), shown);
}

/** Cut at the end of a line where there is one. */
function longText(text: string, made: (text: string) => HTMLElement): HTMLElement {
  if (text.length <= piece) return made(text);
  const end = text.lastIndexOf("\n", piece);
  const cut = end < piece / 2 ? piece : end + 1;
  const rest = text.slice(cut);
  const more = element(
    "button",
    { type: "button", class: "more" },
    `Show more (${Math.ceil(rest.length / 1000)} k characters left)`,
  );
  const holder = element("div", {}, made(text.slice(0, cut)), more);
  more.addEventListener("click", () => more.replaceWith(longText(rest, made)));
  return holder;
}
