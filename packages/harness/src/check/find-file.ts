/** Which file a citation means: the one of that path, else the one shown to the model whose path ends like it. */

import type { CitedLines } from "../workspace/lines.ts";
import type { Turn } from "./check.ts";
import type { Candidate, LineRange } from "./citation-syntax.ts";

/** How far from the cited lines a name may stand: so many lines around them are read as well. */
export const nearby = 3;

/** A file, or why there is none: `several` are those that a short name may mean. `path`: as written. */
export type Found = { path: string; file: CitedLines } | { path: string; several: readonly string[] };

/** The same lines are read once, however often they are cited. */
export function readingOnce(turn: Turn): Turn {
  const known = new Map<string, Promise<CitedLines | undefined>>();
  return {
    ...turn,
    lines(path, from, to) {
      const key = `${from}-${to} ${path}`;
      const found = known.get(key) ?? turn.lines(path, from, to);
      known.set(key, found);
      return found;
    },
  };
}

/** Tries the readings of a citation in turn, each as a path below the root, then each as the end of a path shown. */
export async function findFile(paths: Candidate["paths"], range: LineRange, turn: Turn): Promise<Found> {
  const from = Math.max(1, Math.min(range.from, range.to) - nearby);
  const to = Math.max(range.from, range.to) + nearby;
  for (const path of paths) {
    const file = await turn.lines(path, from, to);
    if (file !== undefined) return { path, file };
  }
  let several: readonly string[] = [];
  for (const path of paths) {
    several = shownAs(path, range.from, turn);
    const [only] = several;
    const file = several.length === 1 && only !== undefined ? await turn.lines(only, from, to) : undefined;
    if (file !== undefined) return { path, file };
  }
  return { path: paths.at(-1) ?? "", several };
}

/** The files shown to the model whose path ends like this; of several, the one that was shown at this line. */
function shownAs(path: string, line: number, { ledger }: Turn): string[] {
  const alike = [...ledger.paths()].filter(
    (shown) => shown.endsWith(path) && /[/ ]/.test(shown.at(-path.length - 1) ?? ""),
  );
  const atLine = alike.filter((shown) => ledger.has(shown, line));
  return atLine.length === 1 ? atLine : alike;
}
