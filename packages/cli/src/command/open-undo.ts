import { openUndo, type Undo } from "@croft/harness";
import { chooseRoot, currentFolder } from "../config/root.ts";
import { undoStore } from "../config/undo.ts";
import type { Io } from "../io.ts";
import { interruptedLine } from "../ui/undone.ts";

/** The undo of a project; what a killed croft left there is put in order, and told, first. Throws UsageError. */
export function undoOf(dir: string | undefined, io: Io): { undo: Undo; root: string } {
  const root = chooseRoot({ asked: dir, cwd: currentFolder(), home: io.environment.home });
  const undo = openUndo({ store: undoStore(io.environment.stateHome, root), root });
  for (const one of undo.recover()) io.err.write(`${interruptedLine(one)}\n`);
  return { undo, root };
}
