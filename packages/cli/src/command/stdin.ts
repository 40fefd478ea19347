/** What comes through stdin, without ever waiting for somebody who has nothing to say. */

import { fstatSync } from "node:fs";
import type { Input } from "../io.ts";
import { tooLong } from "./question.ts";

export type ReadOptions = {
  /** Milliseconds until the first byte; undefined: without end. */
  waitMs: number | undefined;
  /** Bytes at most. */
  limit: number;
  /** What it is, for a message: "The question". */
  what: string;
};

/** Whether something may come through stdin beside the words of the command line: a pipe or a file, no terminal or device. */
export function isPiped(): boolean {
  try {
    const stdin = fstatSync(0);
    return stdin.isFIFO() || stdin.isSocket() || stdin.isFile();
  } catch {
    return false; // closed
  }
}

/**
 * All that comes, up to the end of the stream. Undefined: nothing came within `waitMs` (an open pipe that nobody ever writes to
 * must not hold croft for ever), or it is a terminal's. Cut short where the signal fires. Throws UsageError E_TOO_LONG.
 */
export async function readStdin(stdin: Input, options: ReadOptions, signal: AbortSignal): Promise<Buffer | undefined> {
  const { waitMs, limit, what } = options;
  if (stdin.isTTY === true && waitMs !== undefined) return undefined;
  let silent = false;
  const stop = (): unknown => stdin.destroy();
  const timer =
    waitMs === undefined
      ? undefined
      : setTimeout(() => {
          silent = true;
          stop();
        }, waitMs);
  signal.addEventListener("abort", stop);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stdin) {
      clearTimeout(timer);
      const bytes = Buffer.from(chunk);
      chunks.push(bytes);
      size += bytes.length;
      if (size > limit) throw tooLong(what, limit);
    }
  } catch (error) {
    if (size > limit) throw error; // else the stream was ended above: what came is what there is
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    stdin.destroy();
  }
  return silent ? undefined : Buffer.concat(chunks);
}
