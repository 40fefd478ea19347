/** The last turns of a session, for a person who comes back to it: read from the end of its log, and no further. */

import { linesBackwards, typeOf } from "./lines.ts";
import { createTeller, type LoggedEvent } from "./read.ts";

/** At most `turns` whole turns, and of a longer time `events` events: of the turn in which they end the last ones. */
export type RecentWanted = { turns: number; events: number };

/** Events in order, from the start of a turn on. A line that cannot be read is left out. Throws E_LOG_UNREADABLE. */
export async function recentEvents(file: string, { turns, events: most }: RecentWanted): Promise<LoggedEvent[]> {
  const { isServable } = await import("./served.ts");
  const tell = createTeller();
  const found: LoggedEvent[] = [];
  let starts = 0;
  for await (const { bytes } of linesBackwards(file)) {
    const isFull = found.length >= most;
    // Beyond that only the words are of interest with which the turn began.
    if (isFull && (bytes === undefined || typeOf(bytes) !== "start")) continue;
    const event = tell(bytes)?.event;
    if (event === undefined || !isServable(event)) continue;
    found.push(event);
    if (event.type !== "start") continue;
    starts += 1;
    if (isFull || starts >= turns) return found.toReversed();
  }
  // What stands before the first start is no turn of this file.
  const last = found.findLastIndex(({ type }) => type === "start");
  return found.slice(0, last + 1).toReversed();
}
