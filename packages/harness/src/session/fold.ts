/** What a session has come to, folded from its events one by one; what a log holds and what a run adds fold alike. */

import type { Event } from "../event.ts";
import type { Message } from "../message.ts";

/** How many tokens a service counted in a prompt, and how many of the messages it was made from. */
export type CountedPrompt = { tokens: number; messages: number };

export interface Fold {
  /** What was said so far; where it was compacted, notes stand for its first part. */
  readonly messages: readonly Message[];
  /** The last prompt that a service counted, unless what it was made from is gone. */
  readonly counted: CountedPrompt | undefined;
  take(event: Event): void;
}

/** A fold that goes on from what an earlier one has come to. */
export function createFold(earlier: Pick<Fold, "messages"> & Partial<Fold> = { messages: [] }): Fold {
  const messages = [...earlier.messages];
  let { counted } = earlier;
  return {
    messages,
    get counted() {
      return counted;
    },
    take(event) {
      if (event.type === "message") messages.push(event.message);
      if (event.type === "compaction" && event.replaced !== undefined) {
        messages.splice(0, event.replaced.upTo, event.replaced.by);
        counted = undefined;
      }
      if (event.type === "step") {
        const { input, cacheRead, cacheWrite, estimated } = event.usage;
        const tokens = input + cacheRead + cacheWrite;
        if (tokens > 0 && estimated !== true) counted = { tokens, messages: messages.length };
      }
    },
  };
}
