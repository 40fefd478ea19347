/** Files by their names: from a backend that knows them, or by the fence's own walk. */

import { asFailure } from "../../error.ts";
import type { Entry, Fence, Pinned } from "../fence.ts";
import type { NameQuery, SearchBackend, SearchDone } from "../search.ts";
import { unsupported } from "./refusals.ts";
import { kept, limitFor } from "./frames.ts";

export type NameSearch = { fence: Fence; backend: SearchBackend; query: NameQuery; signal: AbortSignal };

/** Files below a pinned folder; what the policy denies is left out without a word. */
export async function* namesIn(root: Pinned, search: NameSearch): AsyncGenerator<Entry | SearchDone> {
  const { query, backend } = search;
  if (query.follow === true && (!backend.supportsFollow || backend.find === undefined)) throw unsupported(backend.name);
  const { limit } = query;
  let count = 0;
  let stopped = false;
  for await (const found of backend.find === undefined ? walked(root, search) : proposed(root, search)) {
    if ("done" in found) {
      yield { ...found, complete: found.complete && !stopped, stopped: stopped || found.stopped === true };
      return;
    }
    if (count < (limit ?? Number.POSITIVE_INFINITY)) {
      count++;
      yield found;
      continue;
    }
    stopped = true;
    // A backend is heard to its end, which is near: it may give more than it was asked for.
    if (backend.find !== undefined) continue;
    yield { done: true, complete: false, stopped };
    return;
  }
}

type Found = Entry | (Omit<SearchDone, "stopped"> & { stopped?: boolean | undefined });

async function* walked(root: Pinned, { fence, query, signal }: NameSearch): AsyncGenerator<Found> {
  for await (const entry of fence.list(root, query, signal)) {
    if ("done" in entry || entry.kind === "file") yield entry;
  }
}

/** What a backend says is there, is looked at. */
async function* proposed(root: Pinned, { fence, backend, query, signal }: NameSearch): AsyncGenerator<Found> {
  if (backend.find === undefined) return;
  const limit = query.limit === undefined ? undefined : limitFor(backend, query.limit);
  const territory = { ...query, cwd: fence.cwd(root), atRoot: true, limit };
  for await (const frame of kept(backend.find(territory, signal), backend, limit)) {
    signal.throwIfAborted();
    if ("done" in frame) yield frame;
    else if (isFile(fence, frame.path)) yield { path: frame.path, kind: "file" };
  }
}

function isFile(fence: Fence, path: string): boolean {
  if (fence.policy.judge(path, "list").decision === "deny") return false;
  try {
    using place = fence.pin(path, "list");
    return place.kind === "file";
  } catch (thrown) {
    const { code } = asFailure(thrown);
    if (code === "E_INTERNAL") throw thrown;
    return false;
  }
}
