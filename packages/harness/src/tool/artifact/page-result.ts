/** How a page of lines is told. */

import type { Artifact } from "../../artifact/artifacts.ts";
import { lineText, type Page } from "../../artifact/page.ts";
import { textResult, type ToolContext, type ToolResult } from "../tool.ts";
import { shownOf } from "./parts.ts";

/** Lines that are asked for at most. */
export const maxLines = 2_000;
/** Characters of all lines that are sent, and of what stands around them. */
const maxTotal = 30_000;
const around = 500;

/** Characters that lines may take. */
export function roomIn({ resultLimit = maxTotal + around }: Pick<ToolContext, "resultLimit">): number {
  return Math.min(maxTotal, resultLimit - around);
}

/** `big.log: lines 1 to 20`, the lines, and where to go on. */
export function pageResult(artifact: Artifact, { lines, more }: Page, notes: readonly string[]): ToolResult {
  const [first, last] = [lines[0]?.line, lines.at(-1)?.line];
  const header = first === undefined || last === undefined ? "empty" : `lines ${first} to ${last}`;
  const next = more && last !== undefined ? [`go on with start ${last + 1}`] : [];
  return textResult(
    [`${artifact.name}: ${header}`, ...lines.map(lineText), ...[...next, ...notes].map((note) => `(${note})`)].join(
      "\n",
    ),
    shownOf(artifact, lines),
  );
}
