/** The first findings in path order out of any number, in memory for twice as many as are wanted. */

import type { Frames, Proposal, SearchDone } from "../search.ts";

type RankedProposal = { rank: string; proposal: Proposal };

/**
 * The first `limit` proposals in path order, of those whose path is admitted. A backend works on many files at once and
 * finds in no order, so what is first is known only at its end. In return the same tree gives the same answer.
 */
export async function* firstInPathOrder(
  scan: Frames<Proposal>,
  limit: number,
  admit: (path: string) => boolean,
): AsyncGenerator<Proposal | SearchDone> {
  const kept: RankedProposal[] = [];
  let found = 0;
  let last: RankedProposal | undefined;
  let file = { path: "", admitted: false, rank: "" };
  for await (const proposal of scan) {
    if ("done" in proposal) {
      cut(kept, limit);
      yield* kept.map((ranked) => ranked.proposal);
      const stopped = found > limit || proposal.stopped === true;
      yield { ...proposal, complete: proposal.complete && !stopped, stopped };
      return;
    }
    const { path } = proposal;
    if (path !== file.path) file = { path, admitted: admit(path), rank: rankOf(path) };
    if (!file.admitted) continue;
    found++;
    const ranked = { rank: file.rank, proposal };
    if (last !== undefined && compare(ranked, last) > 0) continue;
    kept.push(ranked);
    if (kept.length >= 2 * limit) last = cut(kept, limit);
  }
}

function cut(kept: RankedProposal[], limit: number): RankedProposal | undefined {
  kept.sort(compare);
  kept.length = Math.min(kept.length, limit);
  return kept.at(-1);
}

function compare(one: RankedProposal, other: RankedProposal): number {
  if (one.rank !== other.rank) return one.rank < other.rank ? -1 : 1;
  return one.proposal.line - other.proposal.line;
}

/** Makes a folder's entries follow it before any name that only begins like it, as listings have it. */
function rankOf(path: string): string {
  return path.replaceAll("/", "\0");
}
