/** The tool that reads a file, or a part of it. */

import { z } from "zod";
import { Failure } from "../../error.ts";
import type { ImageView } from "../../workspace/image/image.ts";
import { showPath } from "../../workspace/text/show-path.ts";
import { linesOf, type Encoding } from "../../workspace/text/text.ts";
import type { Shown } from "../../workspace/ledger.ts";
import type { FileView } from "../../workspace/text/view.ts";
import { defineTool, textResult, type Tool, type ToolContext, type ToolResult } from "../tool.ts";
import { shortened } from "./cut.ts";
import { text, wholeNumber } from "./input.ts";
import { withNearPaths } from "./near-path.ts";
import description from "./read_file.md";

/** Characters of a line that are sent, of all lines together, and of what stands around them. */
const maxLine = 2_000;
const maxTotal = 100_000;
const around = 300;

const input = () =>
  z.strictObject({
    path: text().describe("Relative to the project folder"),
    offset: wholeNumber(1, 1_000_000_000).default(1).describe("First line"),
    limit: wholeNumber(1, 2_000).default(400).describe("Lines at most"),
  });

/**
 * `path: lines 1-400 of 1234`, the numbered lines, and the offset to continue with; or an image under a line that says
 * what it is. Throws what looking at a file throws, E_RANGE.
 */
export const readFile: Tool = defineTool({
  name: "read_file",
  description,
  input,
  effect: "read",
  async run({ path, offset, limit }, context) {
    const { workspace, resultLimit, signal } = context;
    const view = await withNearPaths(path, context, () => workspace.look(path, signal));
    const readOn = (next: number): string => `continue with offset ${next}`;
    return viewResult(view, { from: offset, limit, readOn, resultLimit });
  },
});

/** Which lines; in what words it is told how to read on from a line; `resultLimit` as tools have it. */
export type Excerpt = Pick<ToolContext, "resultLimit"> & {
  from: number;
  limit: number;
  readOn: (next: number) => string;
};

/** A part of a file as a model sees it, or an image. Throws E_RANGE. */
export function viewResult(view: FileView | ImageView, { from, limit, readOn, resultLimit }: Excerpt): ToolResult {
  if ("mediaType" in view) return imageResult(view);
  const name = showPath(view.path);
  if (view.lines === 0 && from === 1) return textResult(`${name}: empty file`, [withoutLines(view)]);
  if (from > view.lines) throw outOfRange(name, view.lines);
  const most = (resultLimit ?? maxTotal + around) - around;
  const numbered = numberedLines(linesOf(view.text), from, { limit, most });
  const to = from + numbered.length - 1;
  const header = `${name}: lines ${from}-${to} of ${view.lines}${peculiarities(view)}`;
  const more = to < view.lines ? [`(${readOn(to + 1)})`] : [];
  return textResult([header, ...numbered, ...more].join("\n"), [
    { path: view.path, hash: view.hash, from, to, via: "read" },
  ]);
}

/** Read, but with no line to cite. */
function withoutLines({ path, hash }: Pick<FileView, "path" | "hash">): Shown {
  return { path, hash, from: 1, to: 0, via: "read" };
}

function imageResult(view: ImageView): ToolResult {
  const { path, format, mediaType, width, height, bytes } = view;
  const text = `${showPath(path)}: ${format} image, ${width} x ${height} pixels, ${bytes.length} bytes`;
  return {
    content: [
      { type: "text", text },
      { type: "image", mediaType, base64: Buffer.from(bytes).toString("base64") },
    ],
    shown: [withoutLines(view)],
  };
}

/** At least one line, and then as many as fit. */
function numberedLines(
  lines: readonly string[],
  offset: number,
  { limit, most }: { limit: number; most: number },
): string[] {
  const numbered: string[] = [];
  let size = 0;
  for (const [index, line] of lines.slice(offset - 1, offset - 1 + limit).entries()) {
    const shown = `${offset + index}\t${shortened(line, maxLine)}`;
    size += shown.length + 1;
    if (size > Math.min(most, maxTotal) && numbered.length > 0) break;
    numbered.push(shown);
  }
  return numbered;
}

const encodings: Readonly<Record<Encoding, string | undefined>> = {
  "utf-8": undefined,
  "utf-8-bom": "UTF-8 with BOM",
  "utf-16le": "UTF-16LE",
  "utf-16be": "UTF-16BE",
  bytes: String.raw`not UTF-8: other bytes are shown as \xNN`,
};

/** What an edit of the file has to keep. */
function peculiarities({ encoding, eol }: FileView): string {
  const endings = { crlf: "CRLF line endings", mixed: "mixed line endings", lf: undefined, none: undefined };
  const found = [encodings[encoding], endings[eol]].filter((one) => one !== undefined);
  return found.length === 0 ? "" : ` (${found.join("; ")})`;
}

function outOfRange(name: string, lines: number): Failure {
  const remedy = lines === 0 ? "It is empty." : `Use an offset from 1 to ${lines}.`;
  return new Failure("E_RANGE", `${name} has only ${lines} lines.`, { remedy });
}
