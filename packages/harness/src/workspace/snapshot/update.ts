/** Brings an index up to date: every file is looked at, and only those that look changed are read. */

import { lstatSync, readlinkSync, type Stats } from "node:fs";
import type { Place, Root } from "../place/place.ts";
import { ifReachable, kindOf, permissionBits } from "../place/system.ts";
import type { Project } from "../walk/ignore.ts";
import type { Changed, State } from "../snapshot.ts";
import { notKept, type Index, type Seen } from "./base.ts";
import { withSpot } from "./present.ts";
import { scan } from "./scan.ts";

export type Updating = {
  root: Root;
  project: Project;
  index: Index;
  /** Of this scan, higher than that of the last one. */
  round: number;
  /** Keeps what a held file holds; its hash. */
  keep: (file: Place) => string;
};

/** What looks different from what was seen last; `found` is undefined where nothing is there. */
export type Difference = Changed & { found: Stats | undefined };

/** Milliseconds by which the times of files may lag behind the clock. */
const clockLag = 50;

/**
 * What looks different, in no order; the states may be the same all the same. A file that is ignored by now stays in the
 * index as long as it is there. Throws the signal's reason, and what `keep` throws.
 */
export async function update(updating: Updating, signal: AbortSignal): Promise<Difference[]> {
  const { root, project, index, round } = updating;
  const differences: Difference[] = [];
  const start = Date.now();

  function visit(path: string, found: Stats, folder: Place, name: string): void {
    const seen = index.get(path);
    if (seen !== undefined && isAsSeen(seen, found)) {
      seen.round = round;
      return;
    }
    const state = stateOf(updating, found, folder, name);
    if (state === undefined) return;
    index.set(path, seenOf(state, found, round, start));
    differences.push({ path, before: seen?.state ?? null, after: state, found });
  }

  await scan(root.top, project, visit, signal);
  for (const [path, seen] of index) {
    if (seen.round === round) continue;
    const found = withSpot(root, path, ({ folder, name, found }) => {
      const stats = found === undefined ? undefined : statsOf(folder, name);
      if (stats !== undefined) visit(path, stats, folder, name);
      return stats;
    });
    if (found !== undefined) continue;
    index.delete(path);
    differences.push({ path, before: seen.state, after: null, found: undefined });
  }
  return differences;
}

/** A folder changes whenever something in it does: only its mode counts. */
function isAsSeen({ state, size, modified, changed, inode, recent }: Seen, found: Stats): boolean {
  const kind = kindOf(found);
  if (state.kind === "folder") return kind === "directory" && state.mode === (found.mode & permissionBits);
  if (recent || inode !== found.ino || changed !== found.ctimeMs || modified !== found.mtimeMs) return false;
  return size === found.size && state.kind === kind;
}

function seenOf(state: State, found: Stats, round: number, start: number): Seen {
  const { size, ino, mtimeMs, ctimeMs } = found;
  const isCompared = state.kind !== "file" || state.hash !== notKept;
  const recent = isCompared && Math.max(mtimeMs, ctimeMs) >= start - clockLag;
  return { state, size, modified: mtimeMs, changed: ctimeMs, inode: ino, recent, round };
}

/** Undefined for what is none of the three, or may not be read, or is gone by now. */
function stateOf({ keep }: Updating, found: Stats, folder: Place, name: string): State | undefined {
  const kind = kindOf(found);
  if (kind === "directory") return { kind: "folder", mode: found.mode & permissionBits };
  if (kind === "link") {
    const target = ifReachable(() => readlinkSync(`${folder.systemPath()}/${name}`));
    return target === undefined ? undefined : { kind: "link", target };
  }
  const file = kind === "file" ? folder.child(name) : undefined;
  try {
    if (file?.kind !== "file") return undefined;
    const hash = ifReachable(() => keep(file));
    return hash === undefined ? undefined : { kind: "file", hash, mode: file.mode };
  } finally {
    file?.release();
  }
}

function statsOf(folder: Place, name: string): Stats | undefined {
  return ifReachable(() => lstatSync(`${folder.systemPath()}/${name}`, { throwIfNoEntry: false }));
}
