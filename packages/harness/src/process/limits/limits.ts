/** How much a command may use. */

import { totalmem } from "node:os";

export type Limits = {
  readonly processes: number;
  /** Bytes of all its processes together, what they keep in memory file systems included. */
  readonly memory: number;
  /** Bytes of the largest file. */
  readonly file: number;
  /** Bytes of each of its folders in memory: /tmp, the home folder, /dev/shm. */
  readonly scratch: number;
};

const MiB = 1024 * 1024;

export function defaultLimits(): Limits {
  const memory = Math.floor(memoryHere() * 0.75);
  return {
    processes: 1024,
    memory,
    file: 8192 * MiB,
    scratch: Math.max(64 * MiB, Math.min(4096 * MiB, Math.floor(memory / 4))),
  };
}

/** In a container there is less than in the machine; where nothing limits it, Node says 0, or more than there is. */
function memoryHere(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/**
 * The start of an argv: util-linux' prlimit. The number of processes is counted within the user namespace of the
 * enclosure, so this stands inside it; it does not bind root. Memory is limited for each process, which stops the one
 * that takes it all; what they take together only a control group can limit.
 */
export function prlimit(program: string, limits: Limits): string[] {
  const { processes, memory, file } = limits;
  return [program, `--nproc=${processes}`, `--data=${memory}`, `--fsize=${file}`, "--core=0", "--"];
}
