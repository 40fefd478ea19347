/** What a session has cost, counted along its events: a turn that was killed has no stop, but its steps say what it took. */

import type { Event, Spent, Used } from "../event.ts";
import { addUsage, noUsage } from "../message.ts";

export interface Count {
  take(event: Event): void;
  readonly spent: Spent;
  /** Of each model that was asked, in the order in which they were first. */
  readonly used: readonly Used[];
}

/** `before`: where a session goes on. */
export function createCount(before: Spent = { turns: 0, dollars: 0 }, usedBefore: readonly Used[] = []): Count {
  let ended = before;
  const used = new Map(usedBefore.map((one) => [one.model, one]));
  /** That is asked. */
  let model = usedBefore.at(-1)?.model ?? "";
  /** Of the turn that is going on. */
  let steps: number | undefined = 0;
  let running = false;

  function end(dollars: number | undefined): void {
    ended = { turns: ended.turns + 1, dollars: sum(ended.dollars, dollars) };
    running = false;
  }

  return {
    take(event) {
      if (event.type === "start") {
        if (running) end(steps);
        running = true;
        steps = 0;
        ({ model } = event);
      }
      const request = event.type === "explored" ? event.event : event;
      if (request.type === "step" || request.type === "compaction") {
        const { usage, dollars } = used.get(model) ?? { usage: noUsage, dollars: 0 };
        used.set(model, { model, usage: addUsage(usage, request.usage), dollars: sum(dollars, request.dollars) });
        if (running) steps = sum(steps, request.dollars);
        else ended = { ...ended, dollars: sum(ended.dollars, request.dollars) };
      }
      if (event.type === "stop" && running) end(event.dollars);
    },
    get spent() {
      return running ? { turns: ended.turns + 1, dollars: sum(ended.dollars, steps) } : ended;
    },
    get used() {
      return [...used.values()];
    },
  };
}

function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one + other;
}
