/** From proposals to hits: every line that a search shows was read through the fence, under the policy. */

import { posix } from "node:path";
import type { Excerpt } from "./excerpt.ts";
import type { Fence, Hash, Pinned } from "../fence.ts";
import { filesBelow, onlyFile, type Files } from "./files.ts";
import { firstInPathOrder } from "./first.ts";
import { kept, limitFor } from "./frames.ts";
import type { BackendDone, Lookup, Query, SearchBackend, SearchDone } from "../search.ts";
import { openSource, type Source } from "./source.ts";

/**
 * One line that matched (or, with `context`, stands beside one). `hash` is of the file the line was read from; a file
 * larger than `maxFileBytes` is not read whole, so there it is a hash of its size and both its ends, and long lines are
 * cut.
 */
export type Hit = {
  path: string;
  hash: Hash;
  line: number;
  text: string;
  match: boolean;
  /** Where in `text` the first match begins; 0 beside a match. */
  column: number;
};

export type Search = { fence: Fence; backend: SearchBackend; query: Query; signal: AbortSignal };

/** The hits in a pinned folder, or in the very file that was pinned. Throws E_BINARY and E_NOT_REGULAR for a file. */
export async function* hitsIn(place: Pinned, search: Search): AsyncGenerator<Hit | SearchDone> {
  const { fence, query } = search;
  if (place.kind === "directory") {
    using files = filesBelow(fence, place, query.shown);
    yield* hitsOf({ ...search, where: { cwd: fence.cwd(place), atRoot: place.path === "." }, files });
  } else {
    using files = onlyFile(await openSource(fence, place, query.shown));
    using folder = fence.pin(posix.dirname(place.path), "list");
    const where = { cwd: fence.cwd(folder), atRoot: folder.path === ".", file: posix.basename(place.path) };
    yield* hitsOf({ ...search, where, files });
  }
}

/** The hits in a file that is held, by whatever name it goes now. Throws as `hitsIn`, and where no program can reach it. */
export async function* hitsInHeld(file: Pinned, search: Search): AsyncGenerator<Hit | SearchDone> {
  const { fence, query } = search;
  using files = onlyFile(await openSource(fence, file, query.shown));
  yield* hitsOf({ ...search, where: { ...fence.nameOf(file), atRoot: false }, files });
}

type FileSearch = Search & { where: Pick<Lookup, "cwd" | "atRoot" | "file">; files: Files };

async function* hitsOf({ backend, query, signal, where, files }: FileSearch): AsyncGenerator<Hit | SearchDone> {
  const { path: _path, context = 0, limit, shown: _shown, ...asked } = query;
  // One without a cap is asked for all: what is first in path order is only known at the end.
  const most = limit === undefined || backend.cap === undefined ? undefined : limitFor(backend, limit);
  const lookup: Lookup = {
    ...asked,
    ...where,
    limit: most,
    // One more than is wanted, so that it shows when there are more.
    perFile: limit === undefined ? undefined : limit + 1,
  };
  const found = kept(backend.search(lookup, signal), backend, most);
  const proposals = limit === undefined ? found : firstInPathOrder(found, limit, files.admit);
  let previous: Source | undefined;
  let shown = 0;
  let trail: Hit[] = [];
  for await (const proposal of proposals) {
    signal.throwIfAborted();
    if ("done" in proposal) {
      yield* trail;
      yield withSkipped(proposal, files.skipped());
      return;
    }
    const source = await files.open(proposal.path);
    const excerpt = await source?.excerpt(proposal, context, signal);
    if (source === undefined || excerpt === undefined) continue;
    if (source !== previous) {
      yield* trail;
      trail = [];
      shown = 0;
    }
    const hits = hitsAround(source, proposal.line, excerpt);
    for (const hit of [...trail, ...hits.leading]) {
      if (hit.line <= shown || (!hit.match && hit.line >= proposal.line)) continue;
      yield hit;
      shown = hit.line;
    }
    trail = hits.trailing;
    previous = source;
  }
}

function withSkipped(done: BackendDone, more: readonly string[]): SearchDone {
  const all = [...(done.skipped === undefined ? [] : [done.skipped]), ...more];
  return { ...done, stopped: done.stopped === true, skipped: all.length === 0 ? undefined : all.join("; ") };
}

/** `leading` ends with the match. Lines behind it are shown once it is known that the next match is not among them. */
function hitsAround({ path, hash }: Source, line: number, excerpt: Excerpt): { leading: Hit[]; trailing: Hit[] } {
  const beside = (text: string, at: number): Hit => ({ path, hash, line: at, text, match: false, column: 0 });
  const before = excerpt.before.map((text, index, all) => beside(text, line - all.length + index));
  const match: Hit = { path, hash, line, text: excerpt.line, match: true, column: excerpt.column };
  return { leading: [...before, match], trailing: excerpt.after.map((text, index) => beside(text, line + 1 + index)) };
}
