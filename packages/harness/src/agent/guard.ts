/**
 * The guard against a model that goes round in circles: calls that come to what they came to before, in whatever order,
 * and lines read again that are still the same. A poll whose result changes is none of it.
 */

import type { FailureData } from "../error.ts";
import type { Message, ToolResultBlock, ToolUseBlock } from "../message.ts";
import { truncate } from "../slice.ts";
import type { Shown } from "../workspace/ledger.ts";

const warnAt = 3;
const stopAt = 6;
/** So many steps in a row in which every call failed are no progress either. */
const failingSteps = 8;
/** Steps in which a reading counts as a repetition: so far back a model still has what it read, and further perhaps not. */
const remembered = 10;

export interface Guard {
  /** Counts a call, its result and the lines it showed. Says what the model is to be told, if it repeats itself. */
  note(call: ToolUseBlock, result: ToolResultBlock, shown?: readonly Shown[]): string | undefined;
  /** To be called once a step with all its results. Says why the turn is stuck, if it is. */
  endStep(results: readonly ToolResultBlock[]): FailureData | undefined;
}

type Content = ToolResultBlock["content"];
/**
 * What a call came to, and how often: in earlier turns and in this one. The content is the session's own, so that nothing
 * is held twice.
 */
type Outcome = { content: Content; isError: boolean; before: number; now: number };
type Reading = Shown & { step: number };

/** A guard that knows what has been called in a session so far. */
export function createGuard(history: readonly Message[]): Guard {
  const outcomes = new Map<string, Outcome[]>();
  let reads: Reading[] = [];
  let step = 0;
  let stuck: FailureData | undefined;
  let failing = 0;

  /** A call that fails again fails the same way, however its error is worded. */
  function outcomeOf(call: ToolUseBlock, { content, isError }: ToolResultBlock): Outcome {
    const key = JSON.stringify([call.name, call.input]);
    const known = outcomes.get(key) ?? [];
    const same = known.find((one) => one.isError === isError && (isError || isSame(one.content, content)));
    if (same !== undefined) return same;
    const outcome = { content, isError, before: 0, now: 0 };
    outcomes.set(key, [...known, outcome]);
    return outcome;
  }

  /** In how many steps, this one included, all these lines were read, by whatever calls. */
  function readings(shown: Shown): number {
    const { path, hash, from, to } = shown;
    reads.push({ ...shown, step });
    const same = reads.filter((one) => one.path === path && one.hash === hash && one.from <= from && to <= one.to);
    return new Set(same.map((one) => one.step)).size;
  }

  for (const [call, result] of pairs(history)) outcomeOf(call, result).before += 1;

  return {
    note(call, result, shown = []) {
      const outcome = outcomeOf(call, result);
      outcome.now += 1;
      // What earlier turns did earns a word at once, but no turn is ended for it: the user may ask for the same again.
      const times = outcome.now + Math.min(outcome.before, warnAt - 1);
      const read = Math.max(0, ...shown.filter(({ via }) => via === "read").map(readings));
      if (times >= stopAt || read >= stopAt) stuck = repeating(call, Math.max(times, read));
      if (times >= warnAt)
        return warning(`This call was made ${outcome.before + outcome.now} times with the same result.`);
      if (read >= warnAt) return warning(`These lines were read ${read} times, and have not changed.`);
      return undefined;
    },
    endStep(results) {
      step += 1;
      reads = reads.filter((one) => one.step > step - remembered);
      failing = results.length > 0 && results.every((result) => result.isError) ? failing + 1 : 0;
      return stuck ?? (failing >= failingSteps ? onlyFailing : undefined);
    },
  };
}

function warning(what: string): string {
  return `${what} Do something else, or answer with what you know; the turn ends at ${stopAt} in a turn.`;
}

function repeating({ name, input }: ToolUseBlock, times: number): FailureData {
  const call = `${name}(${JSON.stringify(input)})`;
  const shown = truncate(call, 200);
  return {
    code: "E_STUCK",
    message: `The model went round in circles, so the turn was ended: ${times} times ${shown}, with the same result.`,
    remedy: "Ask in other words, or for a smaller step.",
  };
}

const onlyFailing: FailureData = {
  code: "E_STUCK",
  message: `Every call of the model failed, ${failingSteps} steps in a row, so the turn was ended.`,
  remedy: "Ask in other words, or for a smaller step.",
};

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
