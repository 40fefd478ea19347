/** The group of processes that a program leads, by the number of its leader. */

/** Milliseconds between asking processes to end and ending them. */
export const graceMs = 2_000;

/** Sends a signal to all of a group. False: nobody was reached. */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-leader, signal);
    return true;
  } catch {
    // ESRCH: nobody left. EPERM: only a zombie, or a member that became another user, which we cannot end.
    return false;
  }
}
