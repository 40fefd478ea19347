/**
 * The guard against a model that repeats itself. A call that got the very same result before is a repetition, in
 * whatever order and over all turns of a session; a poll whose result changes is none.
 */

import type { Message, ToolResultBlock, ToolUseBlock } from "../message.ts";

const warnAt = 3;
const stopAt = 6;
/** So many steps in a row in which every call failed are no progress either. */
const failingSteps = 8;

export interface Guard {
  /** Counts a call and its result. Says what the model is to be told, if it repeats itself. */
  note(call: ToolUseBlock, result: ToolResultBlock): string | undefined;
  /** To be called once a step with all its results. True: the turn is stuck. */
  endStep(results: readonly ToolResultBlock[]): boolean;
}

type Content = ToolResultBlock["content"];
/** What a call came to, and how often. The content is the session's own, so that nothing is held twice. */
type Outcome = { content: Content; isError: boolean; times: number };

/** A guard that knows what has been called in a session so far. */
export function createGuard(history: readonly Message[]): Guard {
  const outcomes = new Map<string, Outcome[]>();
  let most = 0;
  let failing = 0;

  function count(call: ToolUseBlock, { content, isError }: ToolResultBlock): number {
    const key = JSON.stringify([call.name, call.input]);
    const known = outcomes.get(key) ?? [];
    const same = known.find((outcome) => outcome.isError === isError && isSame(outcome.content, content));
    if (same !== undefined) return (same.times += 1);
    outcomes.set(key, [...known, { content, isError, times: 1 }]);
    return 1;
  }

  for (const [call, result] of pairs(history)) count(call, result);

  return {
    note(call, result) {
      const times = count(call, result);
      most = Math.max(most, times);
      if (times < warnAt) return undefined;
      return `This call was made ${times} times with the same result. Do something else, or answer with what you know; the turn ends at ${stopAt}.`;
    },
    endStep(results) {
      failing = results.length > 0 && results.every((result) => result.isError) ? failing + 1 : 0;
      return most >= stopAt || failing >= failingSteps;
    },
  };
}

function* pairs(history: readonly Message[]): Generator<[ToolUseBlock, ToolResultBlock]> {
  const open = new Map<string, ToolUseBlock>();
  for (const message of history) {
    for (const block of message.content) {
      if (block.type === "tool_use") open.set(block.id, block);
      if (block.type !== "tool_result") continue;
      const call = open.get(block.toolUseId);
      if (call !== undefined) yield [call, block];
    }
  }
}

function isSame(one: Content, other: Content): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
