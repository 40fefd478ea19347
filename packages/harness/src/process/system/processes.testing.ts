/** What tests know of processes that they did not start themselves. */

import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Waits for a file that a script writes, and reads the process id in it. */
export async function pidIn(file: string): Promise<number> {
  for (let tries = 0; tries < 500; tries++) {
    const pid = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
    if (pid > 0) return pid;
    await sleep(10);
  }
  throw new Error(`${file} was never written`);
}

/** Whether it is gone before long. */
export async function gone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 500 && runs(pid); tries++) await sleep(10);
  return !runs(pid);
}

/** A zombie still has a number; it runs no more. */
export function runs(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
