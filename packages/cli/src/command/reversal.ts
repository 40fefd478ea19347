import { withoutSecrets, type Reversal } from "@croft/harness";
import { exitCodes, exitError } from "../exit.ts";
import type { Io } from "../io.ts";
import { escapeLine } from "../ui/escape.ts";
import { jsonLine } from "../ui/json.ts";
import { leftLines, reversalLines } from "../ui/undone.ts";

export type Reported = { type: "undo" | "redo"; root: string; json: boolean };

/** Says what an undo or a redo came to, without secrets that are in names; the exit code. */
export async function report(reversal: Reversal, { type, root, json }: Reported, io: Io): Promise<number> {
  const { turn, files, left } = reversal;
  if (json) {
    const about =
      turn === undefined ? null : { number: turn.number, session: turn.session, task: turn.task, at: turn.at };
    io.out.write(jsonLine({ type, turn: about, files, left }));
  } else {
    io.out.write(await withoutSecrets(`${reversalLines(type, reversal).join("\n")}\n`));
    for (const line of leftLines(type, left)) io.err.write(await withoutSecrets(`${line}\n`));
    // Each folder that was named as a project has an undo of its own.
    if (turn === undefined) io.err.write(`The project is ${escapeLine(root)}. For another: croft ${type} -C DIR\n`);
  }
  if (io.signal.aborted) return exitCodes.cancelled;
  return left.length === 0 ? 0 : exitError;
}
