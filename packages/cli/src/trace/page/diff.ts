/** A unified diff with the numbers of its lines, and what changed within a line. */

import { element, type Child } from "./dom.ts";

type Line = { kind: "add" | "del" | "same" | "hunk" | "file"; text: string; number: string };

export function diff(text: string): HTMLElement {
  const lines = linesOf(text);
  const table = element("div", { class: "diff" });
  for (const [index, line] of lines.entries()) {
    const other = partnerOf(lines, index);
    table.append(
      element(
        "div",
        { class: `line ${line.kind}` },
        element("span", { class: "number", "data-number": line.number }),
        element("span", { class: "words" }, ...(other === undefined ? [line.text] : changedWithin(line.text, other))),
      ),
    );
  }
  return table;
}

function linesOf(text: string): Line[] {
  let [old, now] = [0, 0];
  let within = false;
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line): Line => {
      const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line);
      if (hunk !== null) {
        [old, now] = [Number(hunk[1]), Number(hunk[2])];
        within = true;
        return { kind: "hunk", text: line, number: "" };
      }
      if (!within || /^(?:--- |\+\+\+ )[ab]?\//.test(line)) return { kind: "file", text: line, number: "" };
      if (line.startsWith("+")) return { kind: "add", text: line, number: String(now++) };
      if (line.startsWith("-")) return { kind: "del", text: line, number: String(old++) };
      if (line.startsWith("\\")) return { kind: "file", text: line, number: "" };
      old++;
      return { kind: "same", text: line, number: String(now++) };
    });
}

/** The line that stands for this one on the other side: only where one line became one. */
function partnerOf(lines: readonly Line[], index: number): string | undefined {
  const kinds = [-2, -1, 0, 1, 2].map((step) => lines[index + step]?.kind);
  const [two, before, here, after, far] = kinds;
  if (here === "del" && before !== "del" && after === "add" && far !== "add") return lines[index + 1]?.text;
  if (here === "add" && before === "del" && two !== "del" && after !== "add") return lines[index - 1]?.text;
  return undefined;
}

/** What lies between the same beginning and the same end is marked. */
function changedWithin(line: string, other: string): Child[] {
  const most = Math.min(line.length, other.length);
  let start = 1;
  while (start < most && line[start] === other[start]) start++;
  let end = 0;
  while (end < most - start && line.at(-1 - end) === other.at(-1 - end)) end++;
  const [head, middle, tail] = [
    line.slice(0, start),
    line.slice(start, line.length - end),
    line.slice(line.length - end),
  ];
  // Lines that have nothing in common were replaced as a whole.
  return start + end < 4 || middle === "" ? [line] : [head, element("mark", {}, middle), tail];
}
