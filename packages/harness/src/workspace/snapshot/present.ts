/** What stands at a path now. No link is followed, neither on the way nor at its end. */

import { readlinkSync } from "node:fs";
import { Failure } from "../../error.ts";
import { holdSpot, releaseSpot, type Spot } from "../fence/spot.ts";
import type { Place, Root } from "../place/place.ts";
import { isUnreachable } from "../place/system.ts";
import type { State } from "../snapshot.ts";
import { hashOfPieces } from "./objects.ts";

/** Undefined where it cannot be told: a link on the way, a device, a file that may not be read. */
export function presentAt(root: Root, path: string): State | null | undefined {
  return withSpot(root, path, presentIn);
}

/** Holds the folder of a path while `act` runs; undefined where something else than folders is on the way. */
export function withSpot<T>(root: Root, path: string, act: (spot: Spot) => T): T | undefined {
  let spot: Spot;
  try {
    spot = holdSpot(root, path);
  } catch (thrown) {
    if (thrown instanceof Failure) return undefined;
    throw thrown;
  }
  try {
    return act(spot);
  } finally {
    releaseSpot(spot);
  }
}

/** As `presentAt`, in a folder that is held. */
export function presentIn({ folder, name, found }: Spot): State | null | undefined {
  if (found === undefined) return null;
  if (found.kind === "directory") return { kind: "folder", mode: found.mode };
  try {
    if (found.kind === "link") return { kind: "link", target: readlinkSync(`${folder.systemPath()}/${name}`) };
    return found.kind === "file" ? { kind: "file", hash: hashOf(found), mode: found.mode } : undefined;
  } catch (thrown) {
    if (isUnreachable(thrown)) return undefined;
    throw thrown;
  }
}

function hashOf(file: Place): string {
  const reader = file.open();
  try {
    return hashOfPieces((into, position) => reader.readSync(into, position));
  } finally {
    reader.close();
  }
}
