/** What was entered is done one behind the other; what runs can be ended. */

import type { Inbox } from "./inbox.ts";

export interface Worker {
  readonly isWorking: boolean;
  /** Ends what runs. False if nothing does. */
  interrupt(): boolean;
  /** Goes on until the inbox is shut. */
  work(signal: AbortSignal): Promise<void>;
}

export type WorkerParts = {
  inbox: Pick<Inbox, "next">;
  /** Never rejects. */
  attempt: (text: string, signal: AbortSignal) => Promise<void>;
  /** `isWorking` is another. */
  onChange: () => void;
  /** Something ended that took so many milliseconds. */
  onEnd: (ms: number) => void;
};

export function createWorker({ inbox, attempt, onChange, onEnd }: WorkerParts): Worker {
  let job: AbortController | undefined;

  function change(to: AbortController | undefined): void {
    job = to;
    onChange();
  }

  return {
    get isWorking() {
      return job !== undefined;
    },
    interrupt() {
      job?.abort();
      return job !== undefined;
    },
    async work(signal) {
      for (let entry = await inbox.next(); entry !== undefined; entry = await inbox.next()) {
        const running = new AbortController();
        const begun = performance.now();
        change(running);
        await attempt(entry.text, AbortSignal.any([running.signal, signal]));
        change(undefined);
        onEnd(performance.now() - begun);
      }
    },
  };
}
