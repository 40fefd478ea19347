/** The calls of a session that were made and not answered, as a crash leaves them, and what is known of each. */

import type { Event } from "../event.ts";
import { toolUsesOf, type Message, type ToolResultBlock, type ToolUseBlock } from "../message.ts";

export interface OpenCalls {
  take(event: Event): void;
  /** The message that answers what is open, and the names; from then on nothing is. */
  answered(): { answer: Message; names: readonly string[] } | undefined;
}

/** For the model: how far a call had come when croft was ended. */
const words = {
  waiting: "croft was ended before this was run.",
  running: "croft was ended while this ran: it may have done a part of its work. Look before you call it again.",
  done: (preview: string): string => `This was run to its end, but its result is lost. It began: ${preview}`,
  failed: (preview: string): string => `This failed, and the rest of its result is lost. It began: ${preview}`,
};

export function openCalls(): OpenCalls {
  let calls: readonly ToolUseBlock[] = [];
  const known = new Map<string, string>();

  return {
    take(event) {
      if (event.type === "tool_call") known.set(event.id, words.running);
      if (event.type === "tool_result") known.set(event.id, (event.ok ? words.done : words.failed)(event.preview));
      if (event.type !== "message") return;
      calls = event.message.role === "assistant" ? toolUsesOf(event.message) : [];
      known.clear();
    },
    answered() {
      if (calls.length === 0) return undefined;
      const content = calls.map(({ id }): ToolResultBlock => {
        const text = known.get(id) ?? words.waiting;
        return { type: "tool_result", toolUseId: id, content: [{ type: "text", text }], isError: true };
      });
      const names = [...new Set(calls.map(({ name }) => name))];
      calls = [];
      return { answer: { role: "user", content }, names };
    },
  };
}
