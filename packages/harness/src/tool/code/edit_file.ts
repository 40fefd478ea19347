/** The tool that replaces a piece of text in a file. */

import { z } from "zod";
import { edit } from "../../edit/edit.ts";
import { sourceOf } from "../../edit/source.ts";
import { defineTool, type Tool } from "../tool.ts";
import { changedResult } from "./changed.ts";
import description from "./edit_file.md";
import { flag, text } from "./input.ts";
import { withNearPaths } from "./near-path.ts";
import { readFirst } from "./read-first.ts";

const input = () =>
  z.strictObject({
    path: text().describe("Relative to the project folder"),
    old_string: text().describe("What stands there now, exactly, without line numbers"),
    new_string: text().describe("What shall stand there"),
    replace_all: flag().default(false).describe("Replace every occurrence"),
  });

/** Throws what `readFirst`, `edit` and committing throw. */
export const editFile: Tool = defineTool({
  name: "edit_file",
  description,
  input,
  effect: "write",
  async run({ path, old_string, new_string, replace_all }, context) {
    const { path: resolved, bytes, hash } = await withNearPaths(path, context, () => readFirst(path, context));
    const edited = edit(sourceOf(resolved, bytes), { old: old_string, new: new_string, all: replace_all });
    const committed = await context.workspace.commit([{ path, before: hash, after: edited.bytes }], context.signal);
    const notes = edited.count > 1 ? [`(${edited.count} occurrences replaced)`] : [];
    return changedResult(committed, { notes });
  },
});
