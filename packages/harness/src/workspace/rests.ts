/** A loop over a whole project, most of it without a wait, lets other work have its turn now and then. */

import { setImmediate } from "node:timers/promises";

/** Milliseconds of work before a rest. */
const workMs = 50;

export type Rests = {
  isDue(): boolean;
  /** Other work gets its turn, and an abort is seen. Throws the signal's reason. */
  take(): Promise<void>;
};

/** For one loop, from now on. */
export function createRests(signal: AbortSignal): Rests {
  let worked = Date.now();
  return {
    isDue: () => Date.now() - worked >= workMs,
    async take() {
      await setImmediate();
      signal.throwIfAborted();
      worked = Date.now();
    },
  };
}
