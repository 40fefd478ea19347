/** Names of files that wait to be renamed into place. */

import { posix } from "node:path";
import { inWords } from "./refusals.ts";
import type { Place, Root } from "../place/place.ts";
import { walkTo } from "./spot.ts";

const pattern = /^\.croft-[0-9a-f]{16}\.tmp$/;

/** `random`: 8 bytes. */
export function temporaryName(random: Buffer): string {
  return `.croft-${random.toString("hex")}.tmp`;
}

/** Whether a name is one that only `temporaryName` gives. */
export function isTemporaryName(name: string): boolean {
  return pattern.test(name);
}

/** See `Fence.sweep`. */
export function sweep(root: Root, temporary: string): boolean {
  if (!isTemporaryName(posix.basename(temporary)) || isCrooked(temporary)) return false;
  return inWords(temporary, () => {
    const { folder, missing } = walkTo(root, posix.dirname(temporary));
    try {
      const name = posix.basename(temporary);
      if (missing.length > 0 || !isFile(folder, name)) return false;
      folder.writer().remove(name);
      folder.writer().sync();
      return true;
    } finally {
      folder.release();
    }
  });
}

function isFile(folder: Place, name: string): boolean {
  const place = folder.child(name);
  place?.release();
  return place?.kind === "file";
}

/** Not as plans write paths. */
function isCrooked(path: string): boolean {
  return path.includes("\0") || path.split("/").some((name) => name === "" || name === "." || name === "..");
}
