/** `croft redo`: takes the last undo back. */

import { parseArguments } from "../arguments.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../usage.ts";
import { undoOf } from "../session/open-undo.ts";
import { report } from "./reversal.ts";

const options = { dir: { type: "string", short: "C" }, json: { type: "boolean" } } as const;

/** The exit code. Throws UsageError, and Failure where undo cannot be had. */
export async function redo(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArguments("redo", args, options);
  if (positionals.length > 0) {
    throw new UsageError("E_ARGUMENTS", "Redo takes no arguments.", "Usage: croft redo");
  }
  const { undo, root } = undoOf(values.dir, io);
  return report(await undo.redo(io.signal), { type: "redo", root, json: values.json === true }, io);
}
