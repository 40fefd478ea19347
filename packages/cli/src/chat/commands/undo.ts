import { count } from "../../arguments.ts";
import { undoOf } from "../../session/open-undo.ts";
import type { Command } from "../talk.ts";
import { safeReversalLines } from "../reversal-lines.ts";

export const undo: Command = {
  name: "undo",
  takes: "[n]",
  help: "take back what the last turn changed, or the last n turns",
  async run({ io, root, screen }, rest, signal) {
    const times = count("/undo", rest === "" ? undefined : rest) ?? 1;
    const { undo } = undoOf(root, io);
    for (let done = 0; done < times && !signal.aborted; done++) {
      const reversal = await undo.undo(signal);
      screen.print(await safeReversalLines("undo", reversal));
      if (reversal.turn === undefined || reversal.left.length > 0) return;
    }
  },
};
