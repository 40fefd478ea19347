/** What goes with what the user says: added behind it, one message each, so that the record tells them apart. */

import type { Attach } from "./agent.ts";
import type { RunningTurn } from "./turn.ts";

/** Records every attachment and, where it holds something, says it to the model; its lines count as shown. */
export async function addAttached(attach: Attach | undefined, turn: RunningTurn): Promise<void> {
  const attachments = (await attach?.(turn.signal)) ?? [];
  for (const { name, ok, preview, content, shown } of attachments) {
    const chars = content.reduce((sum, block) => sum + (block.type === "text" ? block.text.length : 0), 0);
    for (const lines of shown ?? []) turn.options.ledger.add(lines);
    turn.record({ type: "attachment", name, ok, chars, preview, shown });
    if (content.length > 0) turn.add({ role: "user", content: [...content] });
  }
}
