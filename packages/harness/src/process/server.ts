/** A command that goes on while others run: what it says is kept until it is asked for. */

import { setTimeout as sleep } from "node:timers/promises";
import type { CommandLine } from "../gate/command.ts";
import { createExcerpt } from "./output/excerpt.ts";
import type { Ended, Running } from "./runner.ts";
import type { Started } from "./start-command.ts";

export type ServerParts = { id: string; command: CommandLine; onStop: () => void };

/** Starts it with `begin`, which is given where its output goes. Throws what `begin` throws. */
export async function createServer(
  { id, command, onStop }: ServerParts,
  begin: (onText: (text: string) => void) => Promise<Started>,
): Promise<Running> {
  let unread = createExcerpt();
  let ended: Ended | undefined;
  const started = await begin((text) => unread.add(text));
  const done = started.done.then((how): Ended => (ended = { ...how, timedOut: false }));
  done.catch(() => undefined); // told to whoever stops it

  return {
    id,
    command,
    get ended() {
      return ended;
    },
    read() {
      const text = unread.text();
      unread = createExcerpt();
      return text;
    },
    async wait(ms, signal) {
      const timer = new AbortController();
      const either = AbortSignal.any([timer.signal, signal]);
      await Promise.race([done, sleep(ms, undefined, { signal: either }).catch(() => undefined)]);
      timer.abort();
      signal.throwIfAborted();
    },
    async stop() {
      onStop();
      void started.end();
      return done;
    },
  };
}
