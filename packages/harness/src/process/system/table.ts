/** The processes of this system, as /proc has them. Where there is no /proc, there are none. */

import { readdirSync, readFileSync } from "node:fs";

export type SystemProcess = { pid: number; parent: number; group: number; session: number };

/** Those that run: who has ended and was not waited for is left out. */
export function runningProcesses(): SystemProcess[] {
  return processIds().flatMap((pid) => {
    // Behind the name, which may hold anything, come state, parent, group and session.
    const stat = readProcess(pid, "stat");
    const [state = "Z", ...numbers] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [parent = 0, group = 0, session = 0] = numbers.slice(0, 3).map(Number);
    return stat === "" || "ZX".includes(state) ? [] : [{ pid, parent, group, session }];
  });
}

/** All that were started below a process, parents before their children. */
export function descendantsOf(pid: number): number[] {
  const all = runningProcesses();
  const found = [pid];
  for (const one of found) found.push(...all.filter(({ parent }) => parent === one).map((child) => child.pid));
  return found.slice(1);
}

/** A file of /proc/PID; empty for a process that is gone, or another user's. */
export function readProcess(pid: number, file: "stat" | "environ"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}

/** Sends a signal, also to a group by its negative number. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself, or became another user.
  }
}

function processIds(): number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}
