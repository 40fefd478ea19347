/** What a run came to, told along its events. */

import type { Event, Status } from "@croft/harness";

export type Watched = {
  status: Status | undefined;
  requests: number;
  dollars: number | undefined;
  /** Commands that were run, and how many of them in the sandbox. */
  commands: number;
  enclosed: number;
  /** Whether the project's check passed, each time it was run; undefined where it could not be. */
  verified: (boolean | undefined)[];
};

export function watch(): { take(event: Event): void; readonly watched: Watched } {
  const watched: Watched = {
    status: undefined,
    requests: 0,
    dollars: undefined,
    commands: 0,
    enclosed: 0,
    verified: [],
  };
  return {
    watched,
    take(event) {
      if (event.type === "decision" && event.action.kind === "run" && event.verdict.allowed) {
        watched.commands += 1;
        if (event.action.enclosed) watched.enclosed += 1;
      }
      if (event.type === "check" && event.name === "verify") {
        const { result } = event;
        watched.verified.push(result.pass && result.unverified === true ? undefined : result.pass);
      }
      if (event.type !== "stop") return;
      watched.status = event.status;
      watched.requests = event.steps;
      watched.dollars = event.dollars;
    },
  };
}
