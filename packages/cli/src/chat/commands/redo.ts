import { withoutSecrets } from "@croft/harness";
import { undoOf } from "../../command/open-undo.ts";
import { leftLines, reversalLines } from "../../ui/undone.ts";
import type { Command } from "../talk.ts";

export const redo: Command = {
  name: "redo",
  help: "take the last undo back",
  async run({ io, root, screen }, _, signal) {
    const reversal = await undoOf(root, io).undo.redo(signal);
    const lines = [...reversalLines("redo", reversal), ...leftLines("redo", reversal.left)];
    screen.print((await withoutSecrets(lines.join("\n"))).split("\n"));
  },
};
