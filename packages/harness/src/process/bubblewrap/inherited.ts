/**
 * Descriptors that croft got from whoever started it. Node keeps its own from a child, and the low ones it inherited,
 * but not those with high numbers (editors hand such on), and one of a folder would lead a command out of everything.
 */

import { readdirSync, readFileSync } from "node:fs";
import { Failure } from "../../error.ts";

const closeOnExec = 0o2_000_000;
const first = 3;
/** A child's table of descriptors is written out up to the last of them. */
const most = 1024;

/**
 * As many descriptors for a child as it takes to put something harmless in the place of each that is inherited: `own`,
 * then `harmless` to the last. Throws E_NO_ENCLOSURE for a number that is absurd.
 */
export function coverInherited(own: readonly number[], harmless: number): number[] {
  const last = Math.max(first + own.length - 1, ...readdirSync("/proc/self/fd").map(Number).filter(isInherited));
  if (last > most) {
    throw new Failure(
      "E_NO_ENCLOSURE",
      `croft was started with descriptor ${last} open, which it cannot keep from commands.`,
    );
  }
  return [...own, ...Array.from({ length: last - first + 1 - own.length }, () => harmless)];
}

function isInherited(descriptor: number): boolean {
  try {
    const [, flags = "0"] = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "latin1")) ?? [];
    return descriptor >= first && (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    // The one that the list itself was read through.
    return false;
  }
}
