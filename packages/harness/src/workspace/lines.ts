/** Lines for a check: read under the policy, past the gate, shown to nobody. */

import { Failure } from "../error.ts";
import { maxFileBytes } from "./content.ts";
import type { Fence, Pinned } from "./fence.ts";
import { decode, linesOf } from "./text.ts";

/** The lines `from`..`to` (from 1) that exist, as they are now. `path` is as resolved, `total` what the file has. */
export type CitedLines = { path: string; lines: readonly string[]; total: number };

/** Undefined: there is nothing that may be read without a question. */
export type ReadLines = (path: string, from: number, to: number) => Promise<CitedLines | undefined>;

/** Reads through a fence. Binary files have no lines. */
export function linesThrough(fence: Fence): ReadLines {
  return async (path, from, to) => {
    try {
      using file = fence.pin(path, "read");
      if (file.verdict.decision !== "allow" || file.kind !== "file") return undefined;
      if (file.size > maxFileBytes) return await linesOfLarge(fence, file, from, to);
      const decoded = decode(fence.content(file, maxFileBytes));
      if (decoded === undefined) return undefined;
      const lines = linesOf(decoded.text);
      return { path: file.path, lines: lines.slice(Math.max(0, from - 1), to), total: lines.length };
    } catch (thrown) {
      if (thrown instanceof Failure) return undefined;
      throw thrown;
    }
  };
}

/** Characters of one line that are kept: a check looks for a name, not for the whole of a line of gigabytes. */
const longestLine = 10_000;

/** Holds no more than the lines asked for, whatever the size of the file. */
async function linesOfLarge(fence: Fence, file: Pinned, from: number, to: number): Promise<CitedLines> {
  const decoder = new TextDecoder();
  const lines: string[] = [];
  let line = "";
  let total = 0;
  const end = (): void => {
    total += 1;
    if (total >= from && total <= to) lines.push(line.replace(/\r$/, ""));
    line = "";
  };
  for await (const chunk of fence.bytes(file)) {
    const parts = decoder.decode(chunk, { stream: true }).split("\n");
    for (const [index, part] of parts.entries()) {
      if (index > 0) end();
      if (line.length < longestLine) line += part.slice(0, longestLine - line.length);
    }
  }
  if (line !== "") end();
  return { path: file.path, lines, total };
}
