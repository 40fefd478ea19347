/** What comes through stdin, without ever waiting for somebody who has nothing to say. */

import { fstatSync } from "node:fs";
import type { Input } from "../io.ts";
import { tooLong } from "./question.ts";

/** For the first byte, where nobody said that it comes. */
export const shellWaitMs = 2_000;
const programWaitMs = 300;

export type ReadOptions = {
  /** Milliseconds until the first byte; undefined: without end. */
  waitMs: number | undefined;
  /** Bytes at most. */
  limit: number;
  /** What it is, for a message: "The question". */
  what: string;
};

/**
 * How long, in milliseconds, something may be waited for that comes beside the words of the command line; undefined
 * where nothing comes: stdin is closed, a terminal or a device. A shell makes pipes on purpose, while many a program
 * starts others with a socket there that it never writes to.
 */
export function pipedWaitMs(): number | undefined {
  try {
    const stdin = fstatSync(0);
    if (stdin.isFIFO() || stdin.isFile()) return shellWaitMs;
    return stdin.isSocket() ? programWaitMs : undefined;
  } catch {
    return undefined;
  }
}

/**
 * All that comes, up to the end of the stream. Undefined: nothing came within `waitMs` (an open pipe that nobody ever
 * writes to must not hold croft for ever), or it is a terminal's. Cut short where the signal fires. Throws UsageError
 * E_TOO_LONG.
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
