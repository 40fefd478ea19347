/** What files are now, by their hashes: read under the policy, past the gate, shown to nobody. */

import { setImmediate } from "node:timers/promises";
import { Failure } from "../error.ts";
import type { Fence, Hash } from "./fence.ts";
import { maxFileBytes } from "./place/content.ts";

/** null: there is no file. Undefined: it may not be read without a question, or not whole. */
export type HashNow = (path: string, signal: AbortSignal) => Promise<Hash | null | undefined>;

/** Reads through a fence. Throws the signal's reason when aborted. */
export function hashesThrough(fence: Fence): HashNow {
  return async (path, signal) => {
    await setImmediate(); // a session may have read thousands of files
    signal.throwIfAborted();
    try {
      using file = fence.pin(path, "read");
      if (file.verdict.decision !== "allow" || file.size > maxFileBytes) return undefined;
      if (file.kind !== "file") return null;
      const { sha256 } = await import("./reading.ts");
      return sha256(fence.content(file, maxFileBytes));
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      return thrown.code === "E_NOT_FOUND" ? null : undefined;
    }
  };
}
