import type { Session } from "@croft/harness";
import { createTally } from "../trace/tally.ts";
import type { Totals } from "../trace/totals.ts";

/** What a session comes to so far; undefined where nothing was said, or no trace is kept. Throws E_LOG_UNREADABLE. */
export async function totalsOf({ file, spent }: Session, signal: AbortSignal): Promise<Totals | undefined> {
  if (file === undefined || spent.turns === 0) return undefined;
  const { traceLines } = await import("../trace/read.ts"); // has a schema of every event
  const tally = createTally();
  for await (const line of traceLines(file)) {
    if (signal.aborted) return undefined;
    tally.take(line);
  }
  return tally.totals();
}
