/** Names of files that wait to be renamed into place. */

import { posix } from "node:path";
import { inWords } from "./refusals.ts";
import type { Root } from "../place/place.ts";
import { holdSpot, releaseSpot } from "./spot.ts";

const pattern = /^\.croft-[0-9a-f]{16}\.tmp$/;

/** `random`: 8 bytes. */
export function temporaryName(random: Buffer): string {
  return `.croft-${random.toString("hex")}.tmp`;
}

/** See `Fence.sweep`. */
export function sweep(root: Root, temporary: string): boolean {
  if (!pattern.test(posix.basename(temporary)) || isCrooked(temporary)) return false;
  return inWords(temporary, () => {
    const spot = holdSpot(root, temporary);
    try {
      if (spot.found?.kind !== "file") return false;
      const writer = spot.folder.writer();
      writer.remove(spot.name);
      writer.sync();
      return true;
    } finally {
      releaseSpot(spot);
    }
  });
}

/** Not as plans write paths. */
function isCrooked(path: string): boolean {
  return path.includes("\0") || path.split("/").some((name) => name === "" || name === "." || name === "..");
}
