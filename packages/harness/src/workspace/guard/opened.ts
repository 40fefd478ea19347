/** Folders whose mode keeps their own owner out, opened for as long as somebody looks into them. */

import { chmodSync, statSync } from "node:fs";
import type { Place } from "../place/place.ts";

const ownersBits = 0o700;

/**
 * A command can shut a folder of the project, so that what it left there is not found by a look and still by its name.
 * Disposing gives the folder its mode back. What belongs to somebody else stays as it is: no command could shut it.
 */
export function opened(place: Place): Disposable {
  const asItIs = { [Symbol.dispose]: () => undefined };
  if (place.kind !== "directory" || (place.mode & ownersBits) === ownersBits) return asItIs;
  if (place.owner !== process.getuid?.()) return asItIs;
  const path = place.systemPath();
  const { mode } = statSync(path);
  chmodSync(path, mode | ownersBits);
  return { [Symbol.dispose]: () => chmodSync(path, mode) };
}
