/** What a session has come to, folded from its events one by one; what a log holds and what a run adds fold alike. */

import type { Event, Spent } from "../event.ts";
import type { Message } from "../message.ts";
import { withoutOldest } from "./aside.ts";
import { openCalls } from "./calls.ts";
import { createCount } from "./spent.ts";

export interface Fold {
  /** What was said so far. Of very long sessions the oldest results are put aside. */
  readonly messages: readonly Message[];
  /** Blocks that a service refused, as their events name them. */
  readonly rejected: ReadonlySet<string>;
  readonly spent: Spent;
  /** Names of all tools that any turn had. */
  readonly offered: ReadonlySet<string>;
  take(event: Event): void;
  /**
   * Answers the calls that were left open where croft was ended, with what is known of each. Their names. A turn that
   * begins does so by itself.
   */
  answerOpenCalls(): readonly string[];
}

/** What a fold goes on from. */
export type Earlier = Partial<Pick<Fold, "messages" | "rejected" | "spent" | "offered">>;

export function createFold(earlier: Earlier = {}): Fold {
  const messages = [...(earlier.messages ?? [])];
  const rejected = new Set(earlier.rejected);
  const offered = new Set(earlier.offered);
  const count = createCount(earlier.spent);
  const calls = openCalls();
  const trim = withoutOldest();

  function answerOpenCalls(): readonly string[] {
    const open = calls.answered();
    if (open !== undefined) messages.push(open.answer);
    return open?.names ?? [];
  }

  return {
    messages,
    rejected,
    offered,
    get spent() {
      return count.spent;
    },
    answerOpenCalls,
    take(event) {
      if (event.type === "start") {
        answerOpenCalls();
        for (const { name } of event.setup?.tools ?? []) offered.add(name);
      }
      calls.take(event);
      count.take(event);
      if (event.type === "rejected") rejected.add(event.block);
      if (event.type !== "message") return;
      messages.push(event.message);
      trim(messages, event.message);
    },
  };
}
