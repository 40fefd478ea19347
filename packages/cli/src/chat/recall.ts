/** Shows a person who comes back to a session where they were. */

import { recentEvents, type Session } from "@croft/harness";
import { plural } from "../ui/plural.ts";
import type { Screen } from "./screen.ts";

/** So much is shown again. */
const shown = { turns: 3, events: 300 };

/** Nothing of a session without a file. Throws Failure E_LOG_UNREADABLE. */
export async function recall(
  screen: Pick<Screen, "print" | "recall">,
  { file, spent }: Pick<Session, "file" | "spent">,
): Promise<void> {
  if (file === undefined) return;
  const events = await recentEvents(file, shown);
  const earlier = spent.turns - events.filter(({ type }) => type === "start").length;
  if (earlier > 0) screen.print([`${plural(earlier, "turn")} before these; /export writes them all to a file.`]);
  screen.recall(events);
}
