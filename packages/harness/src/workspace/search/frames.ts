/** What a backend says, held to its contract: no more than it was asked for, and one `done` at the end. */

import { Failure } from "../../error.ts";
import type { BackendDone, Frames, SearchBackend } from "../search.ts";

/**
 * The frames up to `done`. Throws E_SEARCH_FAILED, which names the backend, where there are more findings than `limit`,
 * or there is no `done`.
 */
export async function* kept<Finding extends object>(
  frames: Frames<Finding>,
  backend: Pick<SearchBackend, "name">,
  limit: number | undefined,
): AsyncGenerator<Finding | BackendDone> {
  let count = 0;
  for await (const frame of frames) {
    yield frame;
    if (isDone(frame)) return;
    count++;
    if (limit !== undefined && count > limit) {
      throw brokenBy(backend, `gave more than the ${limit} findings it was asked for`);
    }
  }
  throw brokenBy(backend, "ended without saying that it was done");
}

/**
 * How many findings to ask a backend for, where `limit` are wanted: one more, so that it shows when there are more, unless
 * its cap is in the way.
 */
export function limitFor({ cap = Number.POSITIVE_INFINITY }: SearchBackend, limit: number): number {
  return limit < cap ? limit + 1 : limit;
}

function isDone(frame: object): frame is BackendDone {
  return "done" in frame;
}

function brokenBy({ name }: Pick<SearchBackend, "name">, problem: string): Failure {
  return new Failure("E_SEARCH_FAILED", `The search backend ${name} ${problem}.`, {
    remedy: "What it found is not to be relied on: go on without it, and tell the user.",
  });
}
