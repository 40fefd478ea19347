/** The tool that searches the text of files. */

import { z } from "zod";
import { wellFormedSlice } from "../../slice.ts";
import type { Shown } from "../../workspace/ledger.ts";
import { showPath } from "../../workspace/text/show-path.ts";
import type { Hit } from "../../workspace/workspace.ts";
import { defineTool, textResult, type Tool, type ToolContext, type ToolResult } from "../tool.ts";
import { flag, text, wholeNumber } from "./input.ts";
import { withNearPaths } from "./near-path.ts";
import description from "./search.md";

/** Characters of a line that are sent, how many of them stand before a match far in, and of all lines together. */
const maxLine = 300;
const maxLead = 100;
const maxTotal = 100_000;
/** Characters of what is said below them. */
const maxNotes = 500;
const maxLimit = 1_000;

const input = () =>
  z.strictObject({
    pattern: text()
      .min(1, "must not be empty")
      .max(4_000, "must have at most 4000 characters")
      .describe("Regular expression (Rust syntax)"),
    path: text().optional().describe("File or folder to search, relative to the project folder"),
    glob: text().optional().describe("Files to search, relative to path, such as *.md or src/**/*.{ts,tsx}"),
    literal: flag().optional().describe("Take pattern as plain text"),
    ignore_case: flag().optional(),
    context: wholeNumber(0, 10).default(0).describe("Lines to show around each match"),
    limit: wholeNumber(1, maxLimit).default(100).describe("Matches at most"),
  });

/** `path:line: text`, what was skipped, and whether there is more. Throws what searching throws. */
export const search: Tool = defineTool({
  name: "search",
  description,
  input,
  effect: "read",
  run: (asked, context) => withNearPaths(asked.path ?? ".", context, () => foundLines(asked, context)),
});

async function foundLines(
  { pattern, path, glob, literal, ignore_case: ignoreCase, context, limit }: z.output<ReturnType<typeof input>>,
  { workspace, resultLimit, signal }: ToolContext,
): Promise<ToolResult> {
  const most = Math.min(maxTotal, (resultLimit ?? Number.POSITIVE_INFINITY) - maxNotes);
  const lines: string[] = [];
  const shown: Shown[] = [];
  const notes: string[] = [];
  let matches = 0;
  let size = 0;
  let stopped = false;
  for await (const hit of workspace.search({ pattern, path, glob, literal, ignoreCase, context, limit }, signal)) {
    if ("done" in hit) {
      stopped = hit.stopped;
      if (hit.skipped !== undefined) notes.push(`(skipped: ${hit.skipped})`);
      break;
    }
    const line = hitText(hit);
    size += line.length + 1;
    stopped = size > most;
    if (stopped) break;
    const adjoins = extend(shown, hit);
    if (context > 0 && lines.length > 0 && !adjoins) lines.push("--");
    lines.push(line);
    if (hit.match) matches++;
  }
  if (lines.length === 0) lines.push("No matches.");
  if (stopped)
    notes.push(
      `(stopped at ${matches} matches; narrow with path or glob${limit < maxLimit ? `, or raise limit up to ${maxLimit}` : ""})`,
    );
  return textResult([...lines, ...notes].join("\n"), shown);
}

/** Adds a line to what was shown; tells whether it follows the last one. */
function extend(shown: Shown[], { path, hash, line }: Hit): boolean {
  const last = shown.at(-1);
  const adjoins = last?.path === path && last.hash === hash && last.to === line - 1;
  if (adjoins) last.to = line;
  else shown.push({ path, hash, from: line, to: line, via: "search" });
  return adjoins;
}

function hitText(hit: Hit): string {
  const mark = hit.match ? ":" : "-";
  return `${showPath(hit.path)}${mark}${hit.line}${mark} ${around(hit.text, hit.column)}`;
}

/** A long line is shown from its start, or around a match that stands further in. */
function around(line: string, column: number): string {
  if (line.length <= maxLine) return line;
  const from = column + maxLead < maxLine ? 0 : Math.min(column - maxLead, line.length - maxLine);
  const to = from + maxLine;
  return (from > 0 ? "…" : "") + wellFormedSlice(line, from, to) + (to < line.length ? "…" : "");
}
