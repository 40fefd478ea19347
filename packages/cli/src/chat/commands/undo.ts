import { withoutSecrets } from "@croft/harness";
import { count } from "../../arguments.ts";
import { undoOf } from "../../command/open-undo.ts";
import { leftLines, reversalLines } from "../../ui/undone.ts";
import type { Command } from "../talk.ts";

export const undo: Command = {
  name: "undo",
  takes: "[n]",
  help: "take back what the last turn changed, or the last n turns",
  async run({ io, root, screen }, rest, signal) {
    const times = count("n", rest === "" ? undefined : rest) ?? 1;
    const { undo } = undoOf(root, io);
    for (let done = 0; done < times && !signal.aborted; done++) {
      const reversal = await undo.undo(signal);
      const lines = [...reversalLines("undo", reversal), ...leftLines("undo", reversal.left)];
      screen.print((await withoutSecrets(lines.join("\n"))).split("\n"));
      if (reversal.turn === undefined || reversal.left.length > 0) return;
    }
  },
};
