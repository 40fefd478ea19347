/** The two versions of a file: what is there now, and what undo would put there. */

import { Failure } from "../../error.ts";
import { contentOf, maxChangedBytes } from "../place/content.ts";
import type { Root } from "../place/place.ts";
import type { PastTurn, SinceThen, State, Versions } from "../snapshot.ts";
import { diffOf } from "../text/diff.ts";
import { quoted } from "../text/show-path.ts";
import { getObject, pathOf } from "./objects.ts";
import { withSpot } from "./present.ts";
import { objectsOf } from "./store.ts";

/**
 * Of the last turn that changed the file and was not wholly undone; undefined if there is none. Throws E_UNDO_DAMAGED,
 * E_TOO_LARGE, and the system's error where the file may not be read.
 */
export async function versionsOf(
  store: string,
  root: Root,
  turns: readonly PastTurn[],
  path: string,
): Promise<Versions | undefined> {
  const turn = turns.findLast(({ state, files }) => state !== "undone" && files.some((file) => file.path === path));
  const changed = turn?.files.find((file) => file.path === path);
  if (turn === undefined || changed === undefined) return undefined;
  const objects = objectsOf(store, turn.number);
  const hash = changed.before?.kind === "file" ? changed.before.hash : undefined;
  const now = presentBytes(root, path);
  const before = hash === undefined ? null : getObject(objects, hash);
  const { diff } = await diffOf(path, now, before);
  return { path, turn: turn.number, now, before, diff, kept: hash === undefined ? undefined : pathOf(objects, hash) };
}

/** Of each file that turns of a session changed. Throws E_UNDO_DAMAGED. */
export async function sinceThen(
  store: string,
  root: Root,
  turns: readonly PastTurn[],
  session: string,
): Promise<SinceThen[]> {
  const first = new Map<string, { turn: number; before: State | null }>();
  for (const turn of turns.filter((each) => each.session === session && each.state !== "undone")) {
    const files = turn.files.filter(({ before, after }) => (after ?? before)?.kind !== "folder");
    for (const { path, before } of files) if (!first.has(path)) first.set(path, { turn: turn.number, before });
  }
  const all: SinceThen[] = [];
  for (const [path, { turn, before }] of first)
    all.push({ path, diff: await diffSince(store, root, path, turn, before) });
  return all.filter(({ diff }) => diff !== "");
}

async function diffSince(
  store: string,
  root: Root,
  path: string,
  turn: number,
  before: State | null,
): Promise<string | undefined> {
  try {
    const bytes = before?.kind === "file" ? getObject(objectsOf(store, turn), before.hash) : null;
    const now = presentBytes(root, path);
    const isSame = bytes === null || now === null ? bytes === now : Buffer.compare(bytes, now) === 0;
    return isSame ? "" : (await diffOf(path, bytes, now)).diff;
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === "E_TOO_LARGE") return undefined;
    throw thrown;
  }
}

function presentBytes(root: Root, path: string): Uint8Array | null {
  const bytes = withSpot(root, path, ({ found }) => {
    if (found?.kind !== "file") return null;
    if (found.size <= maxChangedBytes) return contentOf(found);
    throw new Failure("E_TOO_LARGE", `${quoted(path)} has ${found.size} bytes: too many to compare.`);
  });
  return bytes ?? null;
}
