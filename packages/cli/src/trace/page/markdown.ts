/**
 * Markdown as elements: what models write, no more. A link is shown with where it leads and cannot be followed; an
 * image stays text.
 */

import { element, type Child } from "./dom.ts";

/** The blocks of a text. */
export function markdown(text: string): HTMLElement {
  const holder = element("div", { class: "markdown" });
  fill({ holder, depth: 0 }, text);
  return holder;
}

/** What blocks are added to, and in how many others it stands. */
type Place = { readonly holder: HTMLElement; readonly depth: number };

/** What stands in more quotations and lists than that stays text: nobody writes it to be read. */
const maxDepth = 16;

function fill(place: Place, text: string): void {
  if (place.depth > maxDepth) {
    place.holder.append(text);
    return;
  }
  const lines = text.split("\n");
  for (let at = 0; at < lines.length;) at = block(lines, at, place);
}

/** Adds the block that begins at a line; where the next one begins. */
function block(lines: readonly string[], at: number, place: Place): number {
  const { holder, depth } = place;
  const line = lines[at] ?? "";
  const fence = /^\s*(`{3,}|~{3,})(.*)$/.exec(line);
  if (fence !== null) return code(lines, at, fence[1] ?? "", holder);
  const [marks] = /^#{1,6}\s+(?=\S)/.exec(line) ?? [];
  if (marks !== undefined) {
    // Under the headings of the page itself.
    holder.append(element("h4", {}, ...inline(withoutClosing(line.slice(marks.length)))));
    return at + 1;
  }
  if (/^\s*(?:[-*_]\s*){3,}$/.test(line)) {
    holder.append(element("hr"));
    return at + 1;
  }
  if (/^\s*>/.test(line)) {
    const end = runOf(lines, at, (each) => /^\s*>/.test(each));
    const quoted = lines.slice(at, end).map((each) => each.replace(/^\s*> ?/, ""));
    const quote = element("blockquote");
    fill({ holder: quote, depth: depth + 1 }, quoted.join("\n"));
    holder.append(quote);
    return end;
  }
  if (isItem(line)) return list(lines, at, place);
  if (line.includes("|") && isRuler(lines[at + 1] ?? "")) return table(lines, at, holder);
  if (line.trim() === "") return at + 1;
  const end = at + 1 + runOf(lines.slice(at + 1), 0, (each) => !beginsBlock(each));
  holder.append(element("p", {}, ...inline(lines.slice(at, end).join("\n"))));
  return end;
}

function withoutClosing(heading: string): string {
  return heading
    .trimEnd()
    .replace(/(?<!#)#+$/, "")
    .trimEnd();
}

/** `| --- | :-: |` */
function isRuler(line: string): boolean {
  return /^[\s:|-]+$/.test(line) && line.trim().lastIndexOf("|") > 0;
}

function beginsBlock(line: string): boolean {
  return line.trim() === "" || isItem(line) || /^(?:\s*(?:`{3,}|~{3,}|>)|#{1,6}\s)/.test(line);
}

function runOf(lines: readonly string[], at: number, belongs: (line: string) => boolean): number {
  const end = lines.findIndex((line, index) => index >= at && !belongs(line));
  return end === -1 ? lines.length : end;
}

function code(lines: readonly string[], at: number, mark: string, holder: HTMLElement): number {
  const close = lines.findIndex((line, index) => index > at && line.trim().startsWith(mark));
  const end = close === -1 ? lines.length : close;
  holder.append(element("pre", {}, element("code", {}, lines.slice(at + 1, end).join("\n"))));
  return end + 1;
}

const item = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;

function isItem(line: string): boolean {
  return item.test(line);
}

/** Items that are deeper than the first one become lists within it. */
function list(lines: readonly string[], at: number, { holder, depth }: Place): number {
  const [, indent = "", mark = ""] = item.exec(lines[at] ?? "") ?? [];
  const made = /\d/.test(mark) ? element("ol", { start: Number.parseInt(mark, 10) }) : element("ul");
  holder.append(made);
  let next = at;
  while (next < lines.length) {
    const found = item.exec(lines[next] ?? "");
    if (found === null || (found[1] ?? "").length !== indent.length) break;
    const body = element("li", {}, ...inline(found[3] ?? ""));
    made.append(body);
    const end = runOf(lines, next + 1, (line) => {
      const [space = ""] = /^\s*/.exec(line) ?? [];
      return line.trim() !== "" && space.length > indent.length;
    });
    const inner = lines.slice(next + 1, end);
    if (inner.some(isItem)) fill({ holder: body, depth: depth + 1 }, inner.join("\n"));
    else if (inner.length > 0) body.append(" ", ...inline(inner.map((line) => line.trim()).join(" ")));
    next = end;
  }
  return next;
}

function table(lines: readonly string[], at: number, holder: HTMLElement): number {
  const end = runOf(lines, at, (line) => line.includes("|"));
  const cells = (line: string): string[] =>
    line
      .trim()
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => cell.trim());
  const rows = lines.slice(at, end).filter((_, index) => index !== 1);
  holder.append(
    element(
      "table",
      {},
      ...rows.map((line, index) =>
        element("tr", {}, ...cells(line).map((cell) => element(index === 0 ? "th" : "td", {}, ...inline(cell)))),
      ),
    ),
  );
  return end;
}

/** Code first: nothing within it means anything else. No part can match what the next one can: texts may be made to be slow. */
const spans =
  /(`+)([^`]|[^`].*?[^`])\1(?!`)|\*\*(\S(?:.*?\S)?)\*\*|(?<![\w*])\*(\S(?:.*?\S)?)\*(?![\w*])|\[([^\][]*)\]\(([^)\s]*)(?:\s[^)]*)?\)/gs;

function inline(text: string): Child[] {
  const parts: Child[] = [];
  let end = 0;
  for (const found of text.matchAll(spans)) {
    const [all, , coded, strong, soft, label, target] = found;
    parts.push(text.slice(end, found.index));
    end = found.index + all.length;
    if (coded !== undefined) parts.push(element("code", {}, coded));
    else if (strong !== undefined) parts.push(element("strong", {}, ...inline(strong)));
    else if (soft !== undefined) parts.push(element("em", {}, ...inline(soft)));
    else parts.push(label ?? "", element("span", { class: "target" }, ` (${target ?? ""})`));
  }
  return [...parts, text.slice(end)].filter((part) => part !== "");
}
