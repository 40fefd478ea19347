import { undoOf } from "../../session/open-undo.ts";
import type { Command } from "../talk.ts";
import { safeReversalLines } from "../reversal-lines.ts";

export const redo: Command = {
  name: "redo",
  help: "take the last undo back",
  async run({ io, root, screen }, _, signal) {
    screen.print(await safeReversalLines("redo", await undoOf(root, io).undo.redo(signal)));
  },
};
