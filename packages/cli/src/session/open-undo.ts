import { openUndo, type Undo } from "@croft/harness";
import { chooseRoot, currentFolder } from "../config/root.ts";
import { undoStore } from "../config/stores.ts";
import type { Io } from "../io.ts";
import { interruptedLine } from "../ui/undone.ts";

/** The undo of a project; what a killed croft left there is put in order, and told, first. Throws UsageError. */
export function undoOf(dir: string | undefined, io: Io): { undo: Undo; root: string } {
  const root = chooseRoot({ asked: dir, cwd: currentFolder(), home: io.environment.home });
  return { undo: undoAt(root, io), root };
}

/** The undo of a project for whoever is about to change it: where there can be none, that is told, and no more. */
export function undoIfAny(root: string, io: Io): Undo | undefined {
  if (io.environment.stateHome !== undefined) return undoAt(root, io);
  io.err.write("What is changed cannot be undone: no home folder is known. Set HOME or XDG_STATE_HOME.\n");
  return undefined;
}

function undoAt(root: string, io: Io): Undo {
  const undo = openUndo({ store: undoStore(io.environment.stateHome, root), root });
  for (const one of undo.recover()) io.err.write(`${interruptedLine(one)}\n`);
  return undo;
}
