/** The tool that changes several files at once. */

import { z } from "zod";
import { parsePatch } from "../../edit/patch/parse.ts";
import { planPatch } from "../../edit/patch/plan.ts";
import { showPath } from "../../workspace/text/show-path.ts";
import { defineTool, type Tool } from "../tool.ts";
import description from "./apply_patch.md";
import { changedResult } from "./changed.ts";
import { text } from "./input.ts";
import { readFirstIfThere } from "./read-first.ts";

const input = () =>
  z.strictObject({ patch: text().describe("All of the patch, paths relative to the project folder") });

/** All files or none. Throws what `parsePatch`, `planPatch`, `readFirst` and committing throw. */
export const applyPatch: Tool = defineTool({
  name: "apply_patch",
  description,
  input,
  effect: "write",
  async run({ patch }, context) {
    const { changes, moves } = await planPatch(parsePatch(patch), (path) => readFirstIfThere(path, context));
    const committed = await context.workspace.commit(changes, context.signal);
    const notes = moves.map(({ from, to }) => `(${showPath(from)} moved to ${showPath(to)})`);
    return changedResult(committed, { notes, moved: moves.map(({ to }) => to) });
  },
});
