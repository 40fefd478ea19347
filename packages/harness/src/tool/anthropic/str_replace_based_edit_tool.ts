/** The text editor as Anthropic defines it, with the engine, the doors and the rules of our own tools. */

import { z } from "zod";
import { edit, type ReplaceNames } from "../../edit/edit.ts";
import { insertLines } from "../../edit/insert.ts";
import { sourceOf } from "../../edit/source.ts";
import { asFailure, Failure } from "../../error.ts";
import { changedResult } from "../code/changed.ts";
import { text, wholeNumber } from "../code/input.ts";
import { listing } from "../code/list_files.ts";
import { withNearPaths } from "../code/near-path.ts";
import { viewResult } from "../code/read_file.ts";
import { readFirst } from "../code/read-first.ts";
import { writeWhole } from "../code/write_file.ts";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../tool.ts";
import description from "./str_replace_based_edit_tool.md";

/** Lines of one view, unless a range is named. */
const usualLines = 2_000;
/** As the tool has been defined. */
const levels = 2;

const line = (least: number): z.ZodInt => wholeNumber(least, 1_000_000_000);
const missing = { error: "must be given for this command" };
const path = text();
const range = z.array(line(-1), "must be two line numbers").length(2, "must be two line numbers");

/** What the model sees: one object, whatever the command. */
const fields = z.strictObject({
  command: z.enum(["view", "create", "str_replace", "insert"], "must be view, create, str_replace or insert"),
  path,
  view_range: range.optional(),
  file_text: text().optional(),
  old_str: text().optional(),
  new_str: text().optional(),
  insert_line: line(0).optional(),
  insert_text: text().optional(),
});

/** What each command takes. */
const commands = z.discriminatedUnion("command", [
  z.object({ command: z.literal("view"), path, view_range: range.optional() }),
  z.object({ command: z.literal("create"), path, file_text: z.string(missing) }),
  z.object({
    command: z.literal("str_replace"),
    path,
    old_str: z.string(missing),
    new_str: z.string().default(""),
  }),
  z.object({ command: z.literal("insert"), path, insert_line: z.int(missing), insert_text: z.string(missing) }),
]);

type Asked<Command extends string> = Extract<z.output<typeof commands>, { command: Command }>;

const names: ReplaceNames = { old: "old_str", new: "new_str" };

/** As read_file, list_files, write_file and edit_file; insert throws what `readFirst` and `insertLines` throw. */
export const strReplaceBasedEditTool: Tool = defineTool({
  name: "str_replace_based_edit_tool",
  description,
  wire: { type: "text_editor_20250728" },
  input: fields.pipe(commands),
  effect: "write",
  changesNothing: ({ command }) => command === "view",
  run(asked, context) {
    switch (asked.command) {
      case "view":
        return view(asked, context);
      case "create":
        return writeWhole(asked.path, asked.file_text, context);
      case "str_replace":
        return replace(asked, context);
      default:
        return insert(asked, context);
    }
  },
});

async function view({ path, view_range: range }: Asked<"view">, context: ToolContext): Promise<ToolResult> {
  const { workspace, resultLimit, signal } = context;
  const [from = 1, to = from + usualLines - 1] = range ?? [];
  if (from < 1 || (to !== -1 && to < from)) {
    throw new Failure("E_INVALID_INPUT", "Invalid input: view_range: these are no lines to be viewed.", {
      remedy: "Name the first line, from 1 on, then the last, or -1 for the end.",
    });
  }
  const limit = to === -1 ? Number.POSITIVE_INFINITY : to - from + 1;
  const readOn = (next: number): string => `continue with view_range [${next}, ${next + usualLines - 1}]`;
  try {
    const found = await withNearPaths(path, context, () => workspace.look(path, signal));
    return viewResult(found, { from, limit, readOn, resultLimit });
  } catch (thrown) {
    if (asFailure(thrown).code !== "E_IS_FOLDER" || range !== undefined) throw thrown;
    return listing(path, { depth: levels, narrow: "view a folder below" }, context);
  }
}

async function replace({ path, old_str, new_str }: Asked<"str_replace">, context: ToolContext): Promise<ToolResult> {
  const { path: resolved, bytes, hash } = await withNearPaths(path, context, () => readFirst(path, context));
  const edited = edit(sourceOf(resolved, bytes), { old: old_str, new: new_str }, names);
  return changedResult(await context.workspace.commit([{ path, before: hash, after: edited.bytes }], context.signal));
}

async function insert({ path, insert_line, insert_text }: Asked<"insert">, context: ToolContext): Promise<ToolResult> {
  const { path: resolved, bytes, hash } = await withNearPaths(path, context, () => readFirst(path, context));
  const after = insertLines(sourceOf(resolved, bytes), insert_line, insert_text);
  return changedResult(await context.workspace.commit([{ path, before: hash, after }], context.signal));
}
