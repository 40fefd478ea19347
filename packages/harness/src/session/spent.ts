/** What a session has cost, counted along its events: a turn that was killed has no stop, but its steps say what it took. */

import type { Event, Spent } from "../event.ts";

export interface Count {
  take(event: Event): void;
  readonly spent: Spent;
}

/** `before`: where a session goes on. */
export function createCount(before: Spent = { turns: 0, dollars: 0 }): Count {
  let ended = before;
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
      }
      const request = event.type === "explored" ? event.event : event;
      if (request.type === "step" || request.type === "compaction") {
        if (running) steps = sum(steps, request.dollars);
        else ended = { ...ended, dollars: sum(ended.dollars, request.dollars) };
      }
      if (event.type === "stop" && running) end(event.dollars);
    },
    get spent() {
      return running ? { turns: ended.turns + 1, dollars: sum(ended.dollars, steps) } : ended;
    },
  };
}

function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one + other;
}
