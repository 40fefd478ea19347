/** `croft trace`: what a run was, summed up for a terminal, or as a page to read it in. */

import { resolve } from "node:path";
import { parseArguments } from "../arguments.ts";
import { currentFolder } from "../config/root.ts";
import { exitCodes } from "../exit.ts";
import type { Io } from "../io.ts";
import { traceLines } from "../trace/read.ts";
import { createTally } from "../trace/tally.ts";
import type { Totals } from "../trace/totals.ts";
import { escapeLine } from "../ui/escape.ts";
import { jsonLine } from "../ui/json.ts";
import { paintFor } from "../ui/paint.ts";
import { plural } from "../ui/plural.ts";
import { totalsLines } from "../ui/totals.ts";
import { asUsageError, UsageError } from "../usage.ts";
import { traceNamed } from "../session/find-session.ts";

const options = { html: { type: "string" }, json: { type: "boolean" } } as const;

/** Sums the trace up, and writes the page where one is asked for. The exit code. Throws UsageError for what is no trace. */
export async function trace(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArguments("trace", args, options);
  const [name, ...more] = positionals;
  if (more.length > 0) {
    throw new UsageError("E_ARGUMENTS", "One trace can be shown at a time.", "Usage: croft trace [file or session id]");
  }
  const file = await traceNamed(name, io);
  const page = values.html === undefined ? undefined : resolve(currentFolder(), values.html);
  const totals = await readWhole(file, page, io.signal);
  if (totals === undefined) return exitCodes.cancelled;
  if (values.json === true) io.out.write(jsonLine({ type: "trace", file, ...totals }));
  else if (page === undefined)
    io.out.write(`${totalsLines(totals, paintFor(process.stdout.isTTY && !io.environment.noColor)).join("\n")}\n`);
  if (page !== undefined) {
    io.err.write(`${plural(totals.turns.count, "turn")}, ${plural(totals.steps, "step")}: ${escapeLine(page)}\n`);
  }
  return 0;
}

/** Undefined: it was cancelled, and nothing is left behind. */
async function readWhole(file: string, page: string | undefined, signal: AbortSignal): Promise<Totals | undefined> {
  const tally = createTally();
  using writer = page === undefined ? undefined : (await import("../trace/write-page.ts")).openPage(page, file);
  try {
    for await (const line of traceLines(file)) {
      if (signal.aborted) return undefined;
      tally.take(line);
      writer?.take(line);
    }
  } catch (cause) {
    throw asUsageError(cause);
  }
  const totals = tally.totals();
  if (totals.turns.count === 0) {
    const remedy = "Give the file that a run names as its trace; what --json prints is none.";
    throw new UsageError("E_NOT_A_TRACE", `${file} is no trace: there is no turn in it.`, remedy);
  }
  writer?.end(totals);
  return totals;
}
