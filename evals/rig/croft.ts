/** The built croft, run as a user runs it. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Place } from "./place.ts";

const bin = fileURLToPath(new URL("../../packages/cli/bin/croft.cjs", import.meta.url));

/** Milliseconds that croft has to end in good order, once it was told to. */
const grace = 10_000;

/** Characters of what it says besides. */
const longestTail = 2_000;

export type Ended = { code: number | null; tail: string };

/**
 * Runs it to its end, which comes after `ms` at the latest, and tells each line of its output. A signal ends it too,
 * and is thrown once it has ended.
 */
export async function croft(
  args: readonly string[],
  { root, env }: Place,
  { ms, onLine, signal }: { ms: number; onLine: (line: string) => void; signal: AbortSignal },
): Promise<Ended> {
  signal.throwIfAborted();
  // A group of its own: the terminal's Ctrl+C comes here alone, and croft is told once.
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: root,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const over = new AbortController();
  const end = async (): Promise<void> => {
    child.kill("SIGINT");
    await delay(grace, undefined, { signal: over.signal });
    child.kill("SIGKILL");
  };
  const late = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
  const endUnlessOver = (): void => void end().catch(() => undefined);
  late.addEventListener("abort", endUnlessOver, { once: true });
  let tail = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (tail = (tail + text).slice(-longestTail)));
  createInterface(child.stdout).on("line", onLine);
  try {
    const [code]: (number | null)[] = await once(child, "close");
    signal.throwIfAborted();
    return { code: code ?? null, tail };
  } finally {
    late.removeEventListener("abort", endUnlessOver);
    over.abort();
  }
}
