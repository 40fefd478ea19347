/**
 * What a program leaves running when it ends. Its group and its session are known by its number; who left both (setsid,
 * a daemon) still has in its environment the mark that the program was given. Who clears the environment too is not
 * found: only an enclosure holds that one.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { graceMs, signalGroup } from "./group.ts";
import { readProcess, runningProcesses, signalProcess } from "./system/table.ts";

/** The variable that holds the mark. */
export const markName = "CROFT_COMMAND";

export type Leader = { pid: number; mark: string };

/**
 * Asks all that it left to end, and after a while ends them. Returns how many there were. Where there is no /proc, the
 * group is all that is known, and it counts as one.
 */
export async function endLeftBehind(leader: Leader): Promise<number> {
  const seen = new Set<number>();
  function signalAll(signal: NodeJS.Signals): boolean {
    const found = leftBehind(leader);
    for (const pid of found) {
      seen.add(pid);
      signalProcess(pid, signal);
    }
    return found.length > 0;
  }
  if (!signalAll("SIGTERM")) return 0;
  const deadline = performance.now() + graceMs;
  while (leftBehind(leader).length > 0 && performance.now() < deadline) await sleep(20);
  // Whoever starts new ones while it is ended is met again; the bound is for those that cannot be ended at all.
  for (let round = 0; round < 100 && signalAll("SIGKILL"); round++) await sleep(10);
  return seen.size;
}

function leftBehind({ pid, mark }: Leader): number[] {
  const processes = runningProcesses();
  if (processes.length === 0) return signalGroup(pid, 0) ? [-pid] : [];
  return processes
    .filter((one) => one.group === pid || one.session === pid || isMarked(one.pid, mark))
    .map((one) => one.pid);
}

function isMarked(pid: number, mark: string): boolean {
  return `\0${readProcess(pid, "environ")}`.includes(`\0${markName}=${mark}\0`);
}
