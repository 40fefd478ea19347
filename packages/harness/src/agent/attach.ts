/** What goes with a task: added behind it, one message each, so that the record tells them apart. */

import type { ImageBlock, TextBlock } from "../message.ts";
import type { Shown } from "../workspace/ledger.ts";
import type { RunningTurn } from "./turn.ts";

/** Not `ok`: it was asked for and is not attached; then `content` says so to the model, if it should know. */
export type Attachment = {
  /** As it was asked for. */
  name: string;
  ok: boolean;
  /** One line for people: what was attached, or why not. */
  preview: string;
  content: readonly (TextBlock | ImageBlock)[];
  /** The lines of the project that `content` holds. */
  shown?: readonly Shown[] | undefined;
};

/** Gathers what is to be attached, once the turn has begun. Never throws; stops early when the signal fires. */
export type Attach = (signal: AbortSignal) => Promise<readonly Attachment[]>;

/** Records every attachment and, where it holds something, says it to the model; its lines count as shown. */
export async function attachTo(turn: RunningTurn, attach: Attach): Promise<void> {
  for (const { name, ok, preview, content, shown } of await attach(turn.signal)) {
    const chars = content.reduce((sum, block) => sum + (block.type === "text" ? block.text.length : 0), 0);
    for (const lines of shown ?? []) turn.options.ledger.add(lines);
    turn.record({ type: "attachment", name, ok, chars, preview, shown });
    if (content.length > 0) turn.add({ role: "user", content: [...content] });
  }
}
