/** The tool that lists a folder. */

import { z } from "zod";
import type { Entry, Kind, ListOptions } from "../../workspace/fence.ts";
import { showPath } from "../../workspace/text/show-path.ts";
import { defineTool, textResult, type Tool, type ToolContext, type ToolResult } from "../tool.ts";
import { text, wholeNumber } from "./input.ts";
import description from "./list_files.md";
import { withNearPaths } from "./near-path.ts";

/** Entries that are shown, and that are counted at most. */
const maxShown = 300;
const maxCounted = 10_000;
/** Two levels tell how a project is laid out and still fit into one answer for a large one. */
const depthWithoutGlob = 2;

const input = () =>
  z.strictObject({
    path: text().default(".").describe("Folder, relative to the project folder"),
    depth: wholeNumber(1, 1_000).optional().describe("Levels; default 2, with glob all"),
    glob: text().optional().describe("Relative to path, such as *.md or src/**/*.{ts,tsx}"),
  });

/** Entries by their path from the root. Throws what listing throws. */
export const listFiles: Tool = defineTool({
  name: "list_files",
  description,
  input,
  effect: "read",
  async run({ path, depth, glob }, context) {
    const levels = depth ?? (glob === undefined ? depthWithoutGlob : undefined);
    const wanted = { depth: levels, glob, narrow: "narrow with path, depth or glob" };
    return withNearPaths(path, context, () => listing(path, wanted, context));
  },
});

type Wanted = ListOptions & { narrow: string };

/** What a folder holds. `narrow`: what is said where that is more than is shown. Throws what listing throws. */
export async function listing(
  path: string,
  { narrow, ...options }: Wanted,
  { workspace, signal }: Pick<ToolContext, "workspace" | "signal">,
): Promise<ToolResult> {
  const lines: string[] = [];
  let count = 0;
  let skipped: string | undefined;
  for await (const entry of workspace.list(path, options, signal)) {
    if ("done" in entry) skipped = entry.skipped;
    else if (++count <= maxShown) lines.push(entryText(entry));
    if (count > maxCounted) break;
  }
  if (count === 0) lines.push("(empty)");
  if (skipped !== undefined) lines.push(`(skipped: ${skipped})`);
  if (count > maxShown) lines.push(`(${maxShown} of ${counted(count)} entries; ${narrow})`);
  return textResult(lines.join("\n"));
}

const marks: Readonly<Record<Kind, string>> = { file: "", directory: "/", link: "@", other: "|" };

/** A path with the mark of its kind. */
export function entryText({ path, kind }: Entry): string {
  return kind === "directory" ? showPath(`${path}/`) : showPath(path) + marks[kind];
}

function counted(count: number): string {
  return count > maxCounted ? `more than ${maxCounted.toLocaleString("en")}` : count.toLocaleString("en");
}
