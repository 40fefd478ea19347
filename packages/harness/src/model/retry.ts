/** A second try, and more, around a model: what failed for a reason that may pass is asked again. */

import { setTimeout as delay } from "node:timers/promises";
import { addUsage, noUsage } from "../message.ts";
import { failureIn, type Delta, type Model, type Reply, type Respond, type Stop, type Wrapper } from "./model.ts";

export type RetryOptions = {
  /** Requests in all. Default: 5. */
  attempts?: number | undefined;
  /** Milliseconds before the second request; doubled before each further one. Default: 1,000. */
  baseMs?: number | undefined;
  /** Milliseconds waited at most; a service that asks for more is not asked again. Default: 60,000. */
  maxWaitMs?: number | undefined;
  /** From 0 to below 1. */
  random?: (() => number) | undefined;
  /** Rejects once the signal fires. */
  sleep?: ((ms: number, signal: AbortSignal) => Promise<unknown>) | undefined;
};

/**
 * Repeats a request that failed for a reason that may pass, whole: of a reply that failed nothing is run. Each retry is
 * a `notice`; what had streamed is taken back by `discard` just before the next request, so that it is still there if
 * the wait is aborted. Where the last attempt fails without a word, what an earlier one had said is its message. The
 * usage of the reply is the sum over all attempts.
 */
export function retry(options: RetryOptions = {}): Wrapper {
  const { attempts = 5, baseMs = 1000, maxWaitMs = 60_000, random = Math.random, sleep = sleepFor } = options;

  /** Half of the backoff is chance, so that clients that failed together do not come back together. */
  const waitMs = (attempt: number, askedMs: number): number => {
    const backoff = Math.min(maxWaitMs, baseMs * 2 ** (attempt - 1));
    return Math.max(askedMs, backoff * (0.5 + random() / 2));
  };

  const answering =
    (inner: Model): Respond =>
    async (request, sink, signal) => {
      let usage = noUsage;
      let said: Reply["message"] | undefined;
      for (let attempt = 1; ; attempt += 1) {
        const heard = listening(sink);
        const last = await inner.respond(request, heard.sink, signal);
        usage = addUsage(usage, last.usage);
        if (last.message.content.length > 0) said = last.message;
        const isOver = failureIn(last.stop) !== undefined || last.stop === "aborted";
        const reply = { ...last, usage, message: isOver ? (said ?? last.message) : last.message };
        const failed = passingFailure(reply.stop);
        if (failed === undefined || attempt >= attempts) return reply;
        if (failed.retryAfterMs > maxWaitMs) {
          sink(notice(`The service asks to wait ${seconds(failed.retryAfterMs)}, longer than this run waits.`));
          return reply;
        }
        const ms = waitMs(attempt, failed.retryAfterMs);
        sink(notice(`${failed.message} Trying again in ${seconds(ms)} (${attempt + 1} of ${attempts}).`));
        try {
          await sleep(ms, signal);
        } catch (error) {
          if (!signal.aborted) throw error;
          return { ...reply, stop: "aborted" };
        }
        if (heard.something()) sink({ type: "discard" });
      }
    };

  return (inner) => ({ ...inner, respond: answering(inner) });
}

function passingFailure(stop: Stop): { message: string; retryAfterMs: number } | undefined {
  const failed = failureIn(stop);
  if (failed?.retryAfterMs === undefined) return undefined;
  return { message: failed.message, retryAfterMs: failed.retryAfterMs };
}

/** Passes deltas on, and remembers whether any of them would have to be taken back. */
function listening(sink: (delta: Delta) => void): { sink: (delta: Delta) => void; something: () => boolean } {
  let streamed = false;
  return {
    sink: (delta) => {
      if (delta.type !== "notice") streamed = delta.type !== "discard";
      sink(delta);
    },
    something: () => streamed,
  };
}

function notice(text: string): Delta {
  return { type: "notice", code: "retry", text };
}

function seconds(ms: number): string {
  return `${Number((ms / 1000).toFixed(1))} s`;
}

async function sleepFor(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal });
}
