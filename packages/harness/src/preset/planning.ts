/** Plan mode: what the model is told of it, and what is not done while it is on. */

import type { Attach, Attachment } from "../agent/agent.ts";
import type { Check } from "../check/check.ts";
import { fromHarness } from "../message.ts";
import type { Session } from "../session/session.ts";
import off from "./planning-off.md";
import on from "./planning-on.md";

const told = {
  on: { text: fromHarness(on).text, preview: "plan mode is on: nothing is changed" },
  off: { text: fromHarness(off).text, preview: "plan mode is over" },
};

/**
 * Tells the model with the user's words where it believes otherwise. What it believes is what it was told last in this
 * session, as far as that is still there; the system prompt stays as it is.
 */
export function planningNotes(planning: () => boolean, { messages }: Pick<Session, "messages">): Attach {
  return async () => {
    const believed = toldLast(messages);
    const now = planning() ? "on" : "off";
    return now === believed ? [] : [noteOn(now)];
  };
}

/** A check that is left out while planning, which is told where there is something to check from before it was on. */
export function unlessPlanning(check: Check, planning: () => boolean, hasChanged: () => boolean): Check {
  return {
    ...check,
    async run(turn, emit, signal) {
      if (!planning()) return check.run(turn, emit, signal);
      if (!hasChanged()) return { pass: true };
      return { pass: true, unverified: true, note: "plan mode is on, so nothing was verified" };
    },
  };
}

function toldLast(messages: Session["messages"]): "on" | "off" {
  for (const { content } of messages.toReversed()) {
    for (const block of content.toReversed()) {
      if (block.type !== "text") continue;
      if (block.text === told.on.text) return "on";
      if (block.text === told.off.text) return "off";
    }
  }
  return "off";
}

function noteOn(now: "on" | "off"): Attachment {
  const { text, preview } = told[now];
  return { name: "plan mode", ok: true, preview, content: [{ type: "text", text }] };
}
