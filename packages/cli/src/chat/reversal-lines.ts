import { withoutSecrets, type Reversal } from "@croft/harness";
import { leftLines, reversalLines } from "../ui/undone.ts";

/** What an undo or a redo came to, in lines, without secrets that are in names. */
export async function safeReversalLines(type: "undo" | "redo", reversal: Reversal): Promise<string[]> {
  const lines = [...reversalLines(type, reversal), ...leftLines(type, reversal.left)];
  return (await withoutSecrets(lines.join("\n"))).split("\n");
}
