import { withoutSecrets, type Reversal } from "@croft/harness";
import { leftLines, reversalLines } from "../ui/undone.ts";

/** What an undo or a redo came to, without secrets that are in names. */
export async function toldReversal(type: "undo" | "redo", reversal: Reversal): Promise<string> {
  return withoutSecrets([...reversalLines(type, reversal), ...leftLines(type, reversal.left)].join("\n"));
}
