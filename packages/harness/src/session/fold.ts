/** What a session has come to, folded from its events one by one; what a log holds and what a run adds fold alike. */

import type { Event, Spent, Todo, Used } from "../event.ts";
import type { Unasked, Verdict } from "../gate/gate.ts";
import type { Message } from "../message.ts";
import { withoutOldest } from "./aside.ts";
import { openCalls } from "./calls.ts";
import { createCount } from "./spent.ts";
import { todosIn } from "./todos.ts";

/** How many tokens a service counted in a prompt, and how many of the messages it was made from. */
export type CountedPrompt = { tokens: number; messages: number };

export interface Fold {
  /**
   * What was said so far; where it was compacted, notes stand for its first part. Of very long sessions the oldest
   * results are put aside.
   */
  readonly messages: readonly Message[];
  /** Blocks that a service refused, as their events name them. */
  readonly rejected: ReadonlySet<string>;
  readonly spent: Spent;
  /** Of each model that was asked, in the order in which they were first. */
  readonly used: readonly Used[];
  /** The last prompt that a service counted, unless what it was made from is gone. */
  readonly counted: CountedPrompt | undefined;
  /** Names of all tools that any turn had. */
  readonly offered: ReadonlySet<string>;
  /** What was refused in the last turn only because nobody could be asked; undefined: nothing. */
  readonly unasked: Readonly<Record<Unasked, number>> | undefined;
  /** The list of its work as the model gave it last. */
  readonly todos: readonly Todo[];
  take(event: Event): void;
  /**
   * Answers the calls that were left open where croft was ended, with what is known of each. Their names. A turn that
   * begins does so by itself.
   */
  answerOpenCalls(): readonly string[];
}

/** What a fold goes on from. */
export type Earlier = Partial<Pick<Fold, "messages" | "rejected" | "spent" | "used" | "offered" | "counted" | "todos">>;

export function createFold(earlier: Earlier = {}): Fold {
  const messages = [...(earlier.messages ?? [])];
  const rejected = new Set(earlier.rejected);
  const offered = new Set(earlier.offered);
  let { counted, todos = [] } = earlier;
  let unasked: Fold["unasked"];
  const count = createCount(earlier.spent, earlier.used);
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
    get used() {
      return count.used;
    },
    get counted() {
      return counted;
    },
    get unasked() {
      return unasked;
    },
    get todos() {
      return todos;
    },
    answerOpenCalls,
    take(event) {
      if (event.type === "start") {
        answerOpenCalls();
        unasked = undefined;
        for (const { name } of event.setup?.tools ?? []) offered.add(name);
      }
      if (event.type === "decision") unasked = withUnasked(unasked, event.verdict);
      calls.take(event);
      count.take(event);
      if (event.type === "tool_result") todos = todosIn(event.details) ?? todos;
      if (event.type === "rejected") rejected.add(event.block);
      if (event.type === "compaction" && event.replaced !== undefined) {
        messages.splice(0, event.replaced.upTo, event.replaced.by);
        counted = undefined;
      }
      if (event.type === "step") {
        const { input, cacheRead, cacheWrite, estimated } = event.usage;
        const tokens = input + cacheRead + cacheWrite;
        if (tokens > 0 && estimated !== true) counted = { tokens, messages: messages.length };
      }
      if (event.type !== "message") return;
      messages.push(event.message);
      trim(messages, event.message);
    },
  };
}

function withUnasked(counts: Fold["unasked"], { unasked }: Verdict): Fold["unasked"] {
  if (unasked === undefined) return counts;
  const { coveredByYes = 0, personOnly = 0 } = counts ?? {};
  const all = { coveredByYes, personOnly };
  return { ...all, [unasked]: all[unasked] + 1 };
}
