/** Lines for a check: read under the policy, past the gate, shown to nobody. */

import { setImmediate } from "node:timers/promises";
import { Failure } from "../error.ts";
import { maxFileBytes } from "./place/content.ts";
import type { Fence } from "./fence.ts";
import { decode, linesOf } from "./text/text.ts";

/**
 * The lines `from`..`to` (from 1) that exist, as they are now, long ones cut. `path` is as resolved, `total` what the
 * file has.
 */
export type CitedLines = { path: string; lines: readonly string[]; total: number };

/** Undefined: there is nothing that may be read without a question. Throws the signal's reason when aborted. */
export type ReadLines = (
  path: string,
  from: number,
  to: number,
  signal: AbortSignal,
) => Promise<CitedLines | undefined>;

/** What to tell of a text, line for line. */
export type ShowText = (text: string, path: string) => Promise<string>;

/** Reads through a fence. Binary files have no lines. `shown` is given the whole text; of a large file only the lines. */
export function linesThrough(fence: Fence, shown: ShowText = async (text) => text): ReadLines {
  return async (path, from, to, signal) => {
    // An answer may cite thousands of lines: between two of them a deadline or a Ctrl+C must be heard.
    await setImmediate();
    signal.throwIfAborted();
    try {
      using file = fence.pin(path, "read");
      if (file.verdict.decision !== "allow" || file.kind !== "file") return undefined;
      if (file.size > maxFileBytes) {
        const { largeLines } = await import("./reading.ts");
        const { lines, total } = await largeLines(fence, file, { from, to, maxBytes: 4 * maxLineLength }, signal);
        const text = await shown(lines.join("\n"), file.path);
        return { path: file.path, lines: lines.length === 0 ? [] : text.split("\n").map(kept), total };
      }
      const decoded = decode(fence.content(file, maxFileBytes));
      if (decoded === undefined) return undefined;
      const lines = linesOf(await shown(decoded.text, file.path));
      return { path: file.path, lines: lines.slice(Math.max(0, from - 1), to).map(kept), total: lines.length };
    } catch (thrown) {
      if (thrown instanceof Failure) return undefined;
      throw thrown;
    }
  };
}

/** Characters of one line that are kept: a check looks for a name, not for the whole of a line of gigabytes. */
const maxLineLength = 10_000;

/** A copy: a piece of a string keeps the whole of it in memory. */
function kept(line: string): string {
  return Buffer.from(line.slice(0, maxLineLength)).toString();
}
