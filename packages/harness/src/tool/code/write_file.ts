/** The tool that writes a whole file. */

import { z } from "zod";
import { sourceOf } from "../../edit/source.ts";
import { newFile, replaceAllText } from "../../edit/whole.ts";
import { refuseLoss } from "../../redact/lost.ts";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../tool.ts";
import { changedResult } from "./changed.ts";
import { text } from "./input.ts";
import { readFirstIfThere } from "./read-first.ts";
import description from "./write_file.md";

const input = () =>
  z.strictObject({
    path: text().describe("Relative to the project folder"),
    content: text().describe("The whole file"),
  });

/** What was done beyond what was asked. */
const toCrlf = "(written with CRLF line endings, as the file had)";

/** A file that is there keeps its encoding. Throws what `readFirst`, `refuseLoss`, `replaceAllText` and committing throw. */
export const writeFile: Tool = defineTool({
  name: "write_file",
  description,
  input,
  effect: "write",
  run: ({ path, content }, context) => writeWhole(path, content, context),
});

/** Makes a file, or puts another text in one that was read. Throws as the tool. */
export async function writeWhole(path: string, content: string, context: ToolContext): Promise<ToolResult> {
  const present = await readFirstIfThere(path, context);
  if (present === undefined) {
    const change = { path, before: null, after: newFile(path, content) };
    return changedResult(await context.workspace.commit([change], context.signal));
  }
  const source = sourceOf(present.path, present.bytes);
  refuseLoss(source.path, source.text, content);
  const { bytes, ending } = replaceAllText(source, content);
  const change = { path, before: present.hash, after: bytes };
  const committed = await context.workspace.commit([change], context.signal);
  return changedResult(committed, { notes: ending === "\r\n" ? [toCrlf] : [] });
}
