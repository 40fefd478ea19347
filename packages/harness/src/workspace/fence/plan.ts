/** A plan: each change judged, held and compared with what is there. Nothing is written here. */

import { hash, randomBytes } from "node:crypto";
import { posix } from "node:path";
import type { Policy } from "../../policy/policy.ts";
import type { Change, FileState, Plan, PlannedFile } from "../change.ts";
import { contentOf, maxChangedBytes } from "../place/content.ts";
import { pathIn, type Place, type Root } from "../place/place.ts";
import { permissionBits } from "../place/system.ts";
import { refuseRepositories } from "./bare-repository.ts";
import { asInGit } from "./git-folder.ts";
import { landAll } from "./landing.ts";
import { explainForeign, refuseNewName, relativePath, type Dialect } from "./lexical.ts";
import {
  alreadyThere,
  changedSince,
  denied,
  gone,
  inWords,
  isFolder,
  isLink,
  notRegular,
  released,
  sameFile,
  throughLink,
  tooLargeToChange,
} from "./refusals.ts";
import { holdSpot, releaseSpot, whereTo } from "./spot.ts";
import type { Held } from "./staging.ts";
import type { Observe } from "./step.ts";
import { temporaryName } from "./temporary.ts";

export type Planning = {
  readonly root: Root;
  readonly policy: Policy;
  readonly dialect: Dialect;
  readonly observe: Observe | undefined;
};

/** See `Fence.plan`. */
export function planChanges(planning: Planning, changes: readonly Change[]): Plan {
  const held: Held[] = [];
  let isOver = false;
  const release = (): void => {
    isOver = true;
    for (const { spot } of held.splice(0)) releaseSpot(spot);
  };
  try {
    for (const change of changes) held.push(planOne(planning, change));
    refuseTwice(held, ({ planned }) => planned.path);
    refuseTwice(held, ({ spot }) => spot.found?.identity());
    const written = held.filter(({ planned }) => planned.after !== null);
    refuseRepositories(
      planning.root,
      written.map(({ planned }) => planned.path),
    );
  } catch (thrown) {
    release();
    throw thrown;
  }
  return {
    files: held.map(({ planned }) => planned),
    apply() {
      if (isOver) throw released();
      try {
        landAll(planning.root, held, planning.observe);
      } finally {
        release();
      }
    },
    [Symbol.dispose]: release,
  };
}

function planOne({ root, policy, dialect }: Planning, change: Change): Held {
  const asked = change.path;
  const relative = relativePath(asked, root.path, dialect);
  const judge = (path: string, as: string = path) => {
    const verdict = policy.judge(as, "write");
    if (verdict.decision === "deny") throw denied(asked, path, "write", verdict);
    return verdict;
  };
  return inWords(asked, () => {
    let path: string;
    try {
      path = whereTo(root, relative, asked);
    } catch (thrown) {
      // As when reading: a protected name is protected whether or not it leads anywhere.
      judge(posix.normalize(relative));
      throw thrown;
    }
    const verdict = judge(path);
    if (change.linkless === true && path !== posix.normalize(relative)) throw throughLink(asked, path);
    const inGit = asInGit(root, path);
    if (inGit !== undefined) judge(path, inGit);
    const spot = holdSpot(root, path);
    try {
      const before = stateOf(spot.found, path);
      compare(change, relative, before);
      if (change.after === null && isNamedByLink(root, relative, path)) throw isLink(asked, path);
      const mode = before?.mode ?? givenMode(change);
      const after = change.after === null ? null : afterOf(path, change.after, mode ?? 0o666 & ~process.umask());
      const folders = spot.missing.map((_, index) =>
        pathIn(spot.folder.path, spot.missing.slice(0, index + 1).join("/")),
      );
      const temporary = pathIn(posix.dirname(path), temporaryName(randomBytes(8)));
      const planned: PlannedFile = { asked, path, verdict, before, after, folders, temporary };
      return { planned, spot, mode };
    } catch (thrown) {
      releaseSpot(spot);
      throw thrown;
    }
  });
}

function stateOf(place: Place | undefined, path: string): FileState | null {
  if (place === undefined) return null;
  // Where the path led a moment ago there was none.
  if (place.kind === "link") throw changedSince(path);
  if (place.kind !== "file") throw place.kind === "directory" ? isFolder(path) : notRegular(path);
  if (place.size > maxChangedBytes) throw tooLargeToChange(path, place.size);
  const bytes = contentOf(place);
  return { bytes, hash: hash("sha256", bytes), mode: place.mode };
}

function compare({ path, before: planned, after }: Change, relative: string, before: FileState | null): void {
  if (before === null) {
    if (planned !== null || after === null) throw gone(path);
    explainForeign(path);
    refuseNewName(relative);
  } else {
    if (planned === null) throw alreadyThere(path);
    if (planned !== before.hash) throw changedSince(path);
  }
}

/** Whether the last name on the way is a link. Links to folders on it are none of a removal's business. */
function isNamedByLink(root: Root, relative: string, path: string): boolean {
  const plain = posix.normalize(relative);
  const folder = root.resolve(posix.dirname(plain));
  folder?.release();
  return folder === undefined || pathIn(folder.path, posix.basename(plain)) !== path;
}

function afterOf(path: string, after: Uint8Array, mode: number): FileState {
  if (after.length > maxChangedBytes) throw tooLargeToChange(path, after.length);
  // A copy: what was approved is what lands, whatever the caller does with its own.
  const bytes = new Uint8Array(after);
  return { bytes, hash: hash("sha256", bytes), mode };
}

/** Undefined: as the umask has it. */
function givenMode({ mode }: Change): number | undefined {
  return mode === undefined ? undefined : mode & permissionBits;
}

/** One place twice, or two names of one file: which bytes were to win? */
function refuseTwice(all: readonly Held[], keyOf: (held: Held) => unknown): void {
  const seen = new Map<unknown, string>();
  for (const held of all) {
    const key = keyOf(held);
    if (key === undefined) continue;
    const other = seen.get(key);
    if (other !== undefined) throw sameFile(other, held.planned.asked);
    seen.set(key, held.planned.asked);
  }
}
